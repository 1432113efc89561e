import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import type { callId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { mergeNotes, notesSince, replaceNotes } from './notes.ts';
import { difference } from './notes-document.ts';
import { NotesThreads } from './notes-threads.ts';

describe('the difference of two texts', () => {
  test.each([
    ['', 'new', { start: 0, removed: 0, inserted: 'new' }],
    ['same', 'same', { start: 4, removed: 0, inserted: '' }],
    ['Hello world', 'Hello brave world', { start: 6, removed: 0, inserted: 'brave ' }],
    ['Hello brave world', 'Hello world', { start: 6, removed: 6, inserted: '' }],
    ['aaa', 'aa', { start: 2, removed: 1, inserted: '' }],
    ['all gone', '', { start: 0, removed: 8, inserted: '' }],
    ['so 😀 then', 'so 😁 then', { start: 3, removed: 2, inserted: '😁' }],
    // These two differ only in their first surrogate.
    ['so 🀀 then', 'so 🐀 then', { start: 3, removed: 2, inserted: '🐀' }],
  ])('%j to %j is one range', (from, to, expected) => {
    const found = difference(from, to);
    expect(found).toEqual(expected);
    const { start, removed, inserted } = found;
    expect(from.slice(0, start) + inserted + from.slice(start + removed)).toBe(to);
  });
});

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: ReturnType<typeof callId.parse>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await runningCall(ada)).call.id;
});
afterAll(() => app.close());

const put = (body: object) => ada.call(updateCall, { params: { id }, body });
const stored = async () => (await ada.call(readCall, { params: { id } })).notesSnapshot;
const updates = async () =>
  (await app.owner.query('select id from call_note_updates where call_id = $1', [id])).rows.length;
const tenant = () =>
  tenantOf(
    app.services.database,
    {
      kind: 'user',
      accountId: ada.user.id,
      orgId: ada.user.orgId as NonNullable<typeof ada.user.orgId>,
      role: 'AGENT',
    },
    null,
    'socket',
  );
/** Returns the notes as a newly started process reads them. */
async function readAnew(): Promise<string> {
  const doc = new Y.Doc();
  const { update } = await tenant().transaction((tx) => notesSince(tx, new NotesThreads(), id));
  Y.applyUpdate(doc, update);
  return doc.getText('notes').toString();
}

test('notes of 1.2 million characters are stored completely, one more is refused', async () => {
  const longest = 'x'.repeat(1_200_000);
  await put({ notesSnapshot: longest });
  expect(await stored()).toBe(longest);
  const reply = await ada.send('PUT', `/api/calls/${id}`, { notesSnapshot: `${longest}y` });
  expect(reply).toMatchObject({
    status: 400,
    body: {
      message: 'These notes are too long to save. Please keep them under 1,200,000 characters.',
    },
  });
  expect(await stored()).toBe(longest);
});

test('a PUT of a Yjs update that makes the notes too long is refused, too', async () => {
  await put({ notesSnapshot: 'x'.repeat(1_000_000) });
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, 'y'.repeat(210_000));
  const notesUpdate = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
  const reply = await ada.send('PUT', `/api/calls/${id}`, { notesUpdate });
  expect(reply).toMatchObject({ status: 413, body: { code: 'notes_too_long' } });
  expect(await stored()).toHaveLength(1_000_000);
});

test('a Yjs update is merged, while a text replaces the stored notes', async () => {
  await put({ notesSnapshot: 'from the one' });
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, 'from the other');
  const notesUpdate = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
  const { notesSnapshot } = await put({ notesUpdate, notesSnapshot: 'not used' });
  expect(notesSnapshot).toContain('from the one');
  expect(notesSnapshot).toContain('from the other');
});

test('replacing one emoji by another is stored, and a lone surrogate is replaced', async () => {
  for (const text of ['so 😀 then', 'so 😁 then', 'so 👩‍🚀 then', 'so 🀀', 'so 🐀']) {
    await put({ notesSnapshot: text });
    expect(await stored()).toBe(text);
    expect(await readAnew()).toBe(text);
  }
  await put({ notesSnapshot: 'half \ud83d of one' });
  expect(await stored()).toBe('half \ufffd of one');
  expect(await readAnew()).toBe('half \ufffd of one');
});

test('the displayed notes equal those read after a restart, after any sequence of texts', async () => {
  const words = ['', 'a', 'ab', 'b', 'ab ab', '😀😀', '😁😀', 'äöü', 'a\nb\r\n', ' '];
  for (const from of words) {
    for (const to of words.slice(0, 5)) {
      await put({ notesSnapshot: from });
      await put({ notesSnapshot: to });
      expect((await stored()) ?? '').toBe(to);
    }
  }
  expect(await readAnew()).toBe('ab ab');
});

test('200 updates are merged into one without loss', async () => {
  for (let n = 0; n < 200; n += 1) await put({ notesSnapshot: 'x'.repeat(n + 1) });
  expect(await updates()).toBe(200);
  await put({ notesSnapshot: 'folded' });
  expect(await updates()).toBe(1);
  expect(await readAnew()).toBe('folded');
  await put({ notesSnapshot: 'folded, and more' });
  expect(await updates()).toBe(2);
  expect(await readAnew()).toBe('folded, and more');
});

test('two processes that write in turn, across a merge of updates, read each other’s changes', async () => {
  const [here, there] = [new NotesThreads(), new NotesThreads()];
  let text = '';
  for (let n = 0; n < 230; n += 1) {
    text += `${n} `;
    const whole = text;
    await tenant().transaction((tx) => replaceNotes(tx, n % 2 ? here : there, id, whole));
  }
  expect(await stored()).toBe(text);
  expect(await readAnew()).toBe(text);
  expect(await updates()).toBeLessThan(60);
});

test('concurrent PUTs of several people are each applied completely, and none fails', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  const texts = Array.from({ length: 20 }, (_, n) => `text ${n} ${'🙂'.repeat(n)}`);
  const replies = await Promise.all(
    texts.map((notesSnapshot, n) =>
      (n % 2 ? ada : ben).send('PUT', `/api/calls/${id}`, { notesSnapshot }),
    ),
  );
  expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
  expect(texts).toContain(await stored());
  expect(await readAnew()).toBe(await stored());
});

test('a change that is rolled back is dropped from memory, too', async () => {
  const cache = new NotesThreads();
  const write = (text: string, fail: boolean) =>
    tenant().transaction(async (tx) => {
      await replaceNotes(tx, cache, id, text);
      if (fail) throw new Error('rolled back');
    });
  await write('kept', false);
  await expect(write('kept not', true)).rejects.toThrow('rolled back');
  const doc = new Y.Doc();
  const { update } = await tenant().transaction((tx) => notesSince(tx, cache, id));
  Y.applyUpdate(doc, update);
  expect(doc.getText('notes').toString()).toBe('kept');
});

test('a reader receives no edit before its commit', async () => {
  const cache = new NotesThreads();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  let done = false;
  const writing = tenant().transaction(async (tx) => {
    await replaceNotes(tx, cache, id, 'committed');
    write();
    await mayCommit;
    done = true;
  });
  await written;
  const reading = tenant()
    .transaction((tx) => notesSince(tx, cache, id))
    .then(() => done);
  await expect
    .poll(
      async () => (await app.owner.query('select 1 from pg_locks where not granted')).rows.length,
    )
    .toBeGreaterThan(0);
  commit();
  await writing;
  expect(await reading).toBe(true);
});

test('an update cannot be merged into the notes of another organization’s call', async () => {
  const eve = await newOrganization(app);
  const theirs = (await runningCall(eve)).call.id;
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, 'from outside');
  const merging = tenant().transaction((tx) =>
    mergeNotes(tx, app.services.notes, theirs, Y.encodeStateAsUpdate(doc)),
  );
  await expect(merging).rejects.toMatchObject({ kind: 'not_found' });
});

test('R10-5: the stored size is known before the notes are read', async () => {
  await put({ notesSnapshot: 'x'.repeat(50_000) });
  const threads = new NotesThreads();
  const use = vi.spyOn(threads, 'use');
  const sizes: number[] = [];
  const stop = (stored: number) => {
    sizes.push(stored);
    throw new Error('not now');
  };
  const refused = tenant().transaction((tx) => notesSince(tx, threads, id, undefined, stop));
  await expect(refused).rejects.toThrow('not now');
  const stored = 'select sum(octet_length(update))::int as bytes from call_note_updates';
  const { rows } = await app.owner.query(`${stored} where call_id = $1`, [id]);
  expect(sizes).toEqual([rows[0]?.bytes]);
  expect(sizes[0]).toBeGreaterThan(50_000);
  expect(use).not.toHaveBeenCalled();
});

test('a call without notes has no size that could be charged', async () => {
  const beforeReading = vi.fn();
  await tenant().transaction((tx) =>
    notesSince(tx, new NotesThreads(), id, undefined, beforeReading),
  );
  expect(beforeReading).not.toHaveBeenCalled();
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as Y from 'yjs';
import { readCall } from '#domain/calls/contract.ts';
import { mostStoredNotes } from '#domain/calls/notes-limits.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { costlyNotes } from '#server/testing/costly-notes.ts';
import { type Entered, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const put = (update: Uint8Array) =>
  ada.send('PUT', `/api/calls/${started.call.id}`, { notesUpdate: base64(update) });
const storedText = async () =>
  (await ada.call(readCall, { params: { id: started.call.id } })).notesSnapshot;

async function panelOf(visitor: typeof ada, room: (typeof started)['room']): Promise<Entered> {
  const { meetingToken } = await visitor.call(openRoom, { params: { id: room.id } });
  return enterPanel(url, meetingToken);
}

/** Returns the Yjs update of a page that makes this change. */
function edit(change: (doc: Y.Doc) => void): Uint8Array {
  const doc = new Y.Doc();
  change(doc);
  return Y.encodeStateAsUpdate(doc);
}
const typed = (text: string) => edit((doc) => doc.getText('notes').insert(0, text));

async function storedBytes(): Promise<number> {
  const { rows } = await app.owner.query<{ bytes: string }>(
    'select sum(octet_length(update)) as bytes from call_note_updates where call_id = $1',
    [started.call.id],
  );
  return Number(rows[0]?.bytes);
}

test('edits of 18 KB that take 10 seconds are refused, and delay no other organization', async () => {
  const { stored, costly } = costlyNotes(4000, 2000);
  expect((await put(stored)).status).toBe(200);
  const text = await storedText();
  const ben = await newOrganization(app);
  const bens = await runningCall(ben);
  const benPanel = await panelOf(ben, bens.room);

  const answered: string[] = [];
  // The second waits until the place of the first has rested, so Ben's requests have time on any machine.
  const costlyPuts = [costly, costly].map(async (update) => {
    const reply = await put(update);
    answered.push('costly');
    return reply;
  });
  benPanel.send({ type: 'note', id: 'ben', update: base64(typed('of Ben')) });
  await benPanel.until('saved', ({ id }) => id === 'ben').then(() => answered.push('note'));
  await ben.send('GET', '/api/rooms').then(() => answered.push('rooms'));
  for (const reply of await Promise.all(costlyPuts)) {
    expect(reply).toMatchObject({ status: 413, body: { code: 'notes_too_complex' } });
  }
  expect(answered.at(-1)).toBe('costly');

  // Opened here: a page that was silent for as long as these took on a busy machine would be disconnected.
  const adaPanel = await panelOf(ada, started.room);
  adaPanel.send({ type: 'note', id: 'costly', update: base64(costly) });
  const refused = await adaPanel.until('refused', ({ id }) => id === 'costly');
  expect(refused.code).toBe('notes_too_complex');
  expect(await storedText()).toBe(text);
  adaPanel.send({ type: 'note', id: 'after', update: base64(typed('after')) });
  await adaPanel.until('saved', ({ id }) => id === 'after');
  expect(await storedText()).toContain('after');
  // The thread's limit is processor time, which takes longer where other programs have a part of it.
}, 120_000);

test('notes that take too long to load are refused in the panel, which gets its checklist', async () => {
  const { stored, costly } = costlyNotes(8000, 4000);
  for (const update of [stored, costly]) {
    await app.owner.query(
      'insert into call_note_updates (org_id, call_id, update) values ($1, $2, $3)',
      [ada.user.orgId, started.call.id, Buffer.from(update)],
    );
  }
  const panel = await panelOf(ada, started.room);
  expect((await panel.until('checklist')).items.length).toBeGreaterThan(0);
  expect((await panel.until('refused')).code).toBe('notes_cannot_be_opened');
  await panel.settled();
  const ben = await newOrganization(app);
  const bens = await runningCall(ben);
  const benPanel = await panelOf(ben, bens.room);
  benPanel.send({ type: 'note', id: 'ben', update: base64(typed('of Ben')) });
  await benPanel.until('saved');
});

test.each<[string, (doc: Y.Doc) => void]>([
  ['another part of the document', (doc) => doc.getMap('junk').set('a', 'x'.repeat(1000))],
  ['another text', (doc) => doc.getText('other').insert(0, 'hidden')],
  ['a format', (doc) => doc.getText('notes').insert(0, 'bold', { bold: true })],
  ['an embedded object', (doc) => doc.getText('notes').insertEmbed(0, { image: 'x' })],
  ['a nested type', (doc) => doc.getText('notes').insertEmbed(0, new Y.Map())],
  ['an attribute', (doc) => doc.getText('notes').setAttribute('a', 'b')],
  ['a document of its own', (doc) => doc.getMap('notes').set('doc', new Y.Doc())],
])('an edit that writes %s is refused, and nothing is stored', async (_, change) => {
  expect(await put(edit(change))).toMatchObject({ status: 400, body: { code: 'bad_note' } });
  expect(await storedBytes()).toBe(0);
});

test('edits that wait for a missing one are kept up to 64 KB, and refused beyond', async () => {
  const orphan = (size: number) => {
    const doc = new Y.Doc();
    doc.getText('notes').insert(0, 'first');
    const before = Y.encodeStateVector(doc);
    doc.getText('notes').insert(5, 'x'.repeat(size));
    return Y.encodeStateAsUpdate(doc, before);
  };
  expect((await put(orphan(1000))).status).toBe(200);
  expect(await put(orphan(70_000))).toMatchObject({ status: 400, body: { code: 'bad_note' } });
});

test('the stored notes of a call stay under 4 MB, however much is written and deleted', async () => {
  const doc = new Y.Doc();
  const text = doc.getText('notes');
  for (let round = 0; round < 25; round += 1) {
    const before = Y.encodeStateVector(doc);
    text.insert(0, 'x'.repeat(250_000));
    const inserted = Y.encodeStateAsUpdate(doc, before);
    expect((await put(inserted)).status).toBe(200);
    text.delete(0, 250_000);
    expect((await put(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)))).status).toBe(200);
    expect(await storedBytes()).toBeLessThan(mostStoredNotes);
  }
  expect(await storedText()).toBe('');
});

test('pasting 100,000 characters is saved, and more than 256 KB in one edit is refused', async () => {
  const panel = await panelOf(ada, started.room);
  const pasted = 'ä'.repeat(100_000);
  panel.send({ type: 'note', id: 'pasted', update: base64(typed(pasted)) });
  await panel.until('saved', ({ id }) => id === 'pasted');
  expect(await storedText()).toBe(pasted);
  expect(await put(typed('x'.repeat(270_000)))).toMatchObject({
    status: 413,
    body: { code: 'notes_update_too_large' },
  });
  expect(await storedText()).toBe(pasted);
});

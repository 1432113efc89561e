import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readCall } from '#domain/calls/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { costlyNotes } from '#server/testing/costly-notes.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { mergeNotes, replaceNotes } from './notes.ts';
import { NotesThreads } from './notes-threads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

function systemOf(orgId: OrgId | null) {
  if (!orgId) throw new Error('she has an organization');
  return tenantOf(app.services.database, { kind: 'system', name: 'test', orgId }, null);
}

/** @returns a function that replaces the notes of a call by a text of 7,000 bytes */
async function notesOf(first: NotesThreads) {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const tenant = systemOf(ada.user.orgId);
  let letter = 'a'.charCodeAt(0);
  const edit = (threads = first) => {
    const text = String.fromCharCode(letter++).repeat(7_000);
    return threads.edit(tenant, call.id, (tx) => replaceNotes(tx, threads, call.id, text));
  };
  const refused = (threads = first) =>
    threads.edit(tenant, call.id, (tx) => mergeNotes(tx, threads, call.id, notAnEdit));
  return Object.assign(edit, { refused });
}
const notAnEdit = Buffer.alloc(6, 255);

test('R11B-2: edits wait for what their organization has stored, and no others', async () => {
  // 8 KB at once, and 4 KB a second.
  const threads = new NotesThreads(0.001);
  const [edit, editElsewhere] = [await notesOf(threads), await notesOf(threads)];
  const order: string[] = [];
  await edit().then(() => order.push('first'));
  const second = edit().then(() => order.push('second'));
  await editElsewhere().then(() => order.push('elsewhere'));
  await second;
  expect(order).toEqual(['first', 'elsewhere', 'second']);
});

test('R12-3: notes that this process has not stored are charged in advance, too', async () => {
  const edit = await notesOf(new NotesThreads(1000));
  await edit();
  const threads = new NotesThreads(0.001);
  const order: string[] = [];
  const again = edit(threads).then(() => order.push('first'));
  const third = edit(threads).then(() => order.push('second'));
  const elsewhere = await notesOf(threads);
  await again;
  await elsewhere().then(() => order.push('elsewhere'));
  await third;
  expect(order).toEqual(['first', 'elsewhere', 'second']);
});

test('R21-76: a refused edit costs what has to be loaded again', async () => {
  const edit = await notesOf(new NotesThreads(1000));
  await edit();
  const threads = new NotesThreads(0.001);
  const elsewhere = await notesOf(threads);
  await expect(edit.refused(threads)).rejects.toMatchObject({ code: 'bad_note' });
  const order: string[] = [];
  const second = edit(threads).then(() => order.push('second'));
  await elsewhere().then(() => order.push('elsewhere'));
  await second;
  expect(order).toEqual(['elsewhere', 'second']);
});

test('a change that needs longer than most is stored by a second attempt, and the next one by its first', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const tenant = systemOf(ada.user.orgId);
  const { stored, costly } = costlyNotes(800, 400);
  const merge = (threads: NotesThreads, update: Uint8Array) =>
    threads.edit(tenant, call.id, (tx) => mergeNotes(tx, threads, call.id, update));
  await merge(new NotesThreads(1000), stored);
  const impatient = new NotesThreads(1000, 1);
  const attempts = vi.spyOn(impatient, 'gateOf');
  await merge(impatient, costly);
  expect(attempts).toHaveBeenCalledTimes(2);
  const { notesSnapshot } = await ada.call(readCall, { params: { id: call.id } });
  expect(notesSnapshot?.match(/z/g)).toHaveLength(400);
  // Its organization comes last now, with all the time that a change has.
  await merge(impatient, costlyNotes(800, 500).costly);
  expect(attempts).toHaveBeenCalledTimes(3);
});

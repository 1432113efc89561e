// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import * as Y from 'yjs';
import { fromBase64, toBase64 } from '#web/calls/base64.ts';
import { sendLeftBehind } from '#web/calls/left-behind.ts';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { someId } from '#web/testing/show.tsx';

const first = someId(50);
const second = someId(51);
const item = someId(60);
let store: UnsavedEditsStore;

beforeEach(() => {
  localStorage.clear();
  store = new UnsavedEditsStore(localStorage, 'ada');
});

function notes(text: string): string {
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, text);
  return toBase64(Y.encodeStateAsUpdate(doc));
}

/** The text of the notes that these bodies have together. */
function textOf(bodies: unknown[]): string {
  const doc = new Y.Doc();
  for (const body of bodies) Y.applyUpdate(doc, fromBase64(Object(body).notesUpdate));
  return doc.getText('notes').toString();
}

const answers = { [`PUT /api/calls/${first}`]: {}, [`PUT /api/calls/${second}`]: {} };

test('ticks and notes of an earlier page are sent to their call, and then forgotten', async () => {
  const asked = fakeServer(answers);
  store.keep(`call:${first}`, 'checks', { [item]: true });
  store.keep(`call:${first}`, 'notes', notes('Wants a quote'));
  await sendLeftBehind(store);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `PUT /api/calls/${first}`,
    `PUT /api/calls/${first}`,
  ]);
  expect(asked[0]?.body).toEqual({ checklistChanges: { [item]: true } });
  expect(textOf(asked.slice(1).map(({ body }) => body))).toBe('Wants a quote');
  expect(store.callIds()).toEqual([]);
});

test('the call that a page has open now, and what names no call, are left alone', async () => {
  const asked = fakeServer(answers);
  for (const place of [`call:${first}`, `call:${second}`, 'call:no-id', 'room:r'] as const)
    store.keep(place, 'checks', { [item]: true });
  await sendLeftBehind(store, first);
  expect(asked.map(({ path }) => path)).toEqual([`/api/calls/${second}`]);
  expect(store.callIds().sort()).toEqual([first, 'no-id']);
  expect(store.read('room:r')).toEqual({ checks: { [item]: true } });
});

test('edits that the server refuses for good are dropped, and the next call’s are sent', async () => {
  const asked = fakeServer({ ...answers, [`PUT /api/calls/${first}`]: refusal(403) });
  store.keep(`call:${first}`, 'checks', { [item]: true });
  store.keep(`call:${second}`, 'checks', { [item]: false });
  await sendLeftBehind(store);
  expect(asked).toHaveLength(2);
  expect(store.callIds()).toEqual([]);
});

test.each([
  ['signed out', signedOut()],
  ['a broken server', refusal(500)],
  ['a request that arrived too slowly', refusal(408)],
  ['a change in progress', refusal(409, { code: 'changed_elsewhere' })],
])('with %s, edits are kept for next time', async (_what, answer) => {
  const asked = fakeServer({
    [`PUT /api/calls/${first}`]: answer,
    [`PUT /api/calls/${second}`]: answer,
  });
  store.keep(`call:${first}`, 'checks', { [item]: true });
  store.keep(`call:${second}`, 'checks', { [item]: true });
  await sendLeftBehind(store);
  expect(asked).toHaveLength(1);
  expect(store.callIds().sort()).toEqual([first, second]);
});

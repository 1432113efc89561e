import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { callId } from '#domain/ids.ts';
import { NotesMemory } from './notes-memory.ts';

const ids = [1, 2, 3].map((n) => callId.parse(`01900000-0000-7000-8000-00000000000${n}`));
/** Deleting between them keeps every two characters a separate run. */
function documentOf(runs: number): Y.Doc {
  const doc = new Y.Doc();
  const text = doc.getText('notes');
  text.insert(0, 'x'.repeat(runs));
  for (let at = 1; at < runs / 2; at += 1) text.delete(at, 1);
  return doc;
}

test('memory keeps the newest documents only', () => {
  const memory = new NotesMemory({ documents: 2, runs: 1000 });
  for (const id of ids) memory.keep(id, documentOf(1));
  expect(ids.map((id) => memory.get(id) !== undefined)).toEqual([false, true, true]);
});

test('memory keeps fewer documents when they consist of many runs', () => {
  const memory = new NotesMemory({ documents: 10, runs: 120 });
  for (const id of ids) memory.keep(id, documentOf(100));
  expect(ids.map((id) => memory.get(id) !== undefined)).toEqual([false, false, true]);
});

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import * as Y from 'yjs';
import { addStored, merge, Refused, replace, textOf } from './notes-document.ts';
import { NotesMemory } from './notes-memory.ts';
import type { NotesAnswer, NotesTask } from './notes-tasks.ts';

const documents = new NotesMemory({ documents: 300, runs: 200_000 });
const behindRequests = 5;

/** Only Linux has priorities per thread; elsewhere this would slow down the whole server. */
if (process.platform === 'linux') setPriority(behindRequests);

parentPort?.on('message', (task: NotesTask) => parentPort?.postMessage(answerOf(task)));
// A thread that is ended saves nothing at its end.
flushCompileCache();
parentPort?.postMessage('ready');

function answerOf(task: NotesTask): NotesAnswer {
  try {
    return answer(task);
  } catch (error) {
    // The document may be ahead of storage.
    documents.delete(task.call);
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal };
    throw error;
  }
}

function answer(task: NotesTask): NotesAnswer {
  const doc = task.kind === 'load' && task.fresh ? new Y.Doc() : documents.get(task.call);
  if (!doc) return { kind: 'absent' };
  if (task.kind === 'load') {
    addStored(doc, task.stored);
    documents.keep(task.call, doc);
    return { kind: 'loaded' };
  }
  if (task.kind === 'read') return { kind: 'read', ...lackOf(doc, task.vector) };
  const added = task.kind === 'merge' ? merge(doc, task.update) : replace(doc, task.text);
  documents.keep(task.call, doc);
  if (added === null) return { kind: 'changed', change: null };
  const state = added.length > task.room ? Y.encodeStateAsUpdate(doc) : null;
  if (state && state.length > task.most) throw new Refused('notes_too_large');
  return { kind: 'changed', change: { added, text: textOf(doc), state } };
}

function lackOf(doc: Y.Doc, vector: Uint8Array | undefined) {
  try {
    return { update: Y.encodeStateAsUpdate(doc, vector), vector: Y.encodeStateVector(doc) };
  } catch {
    throw new Refused('bad_note');
  }
}

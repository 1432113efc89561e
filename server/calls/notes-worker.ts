import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import * as Y from 'yjs';
import type { CallId } from '#domain/ids.ts';
import { addStored, merge, Refused, replace, runsOf, textOf } from './notes-document.ts';
import type { NotesAnswer, NotesTask } from './notes-tasks.ts';

/** Documents that are kept for the next edit. The others are loaded again when they are needed. */
const mostDocuments = 300;
/** Runs of text of all of them together. */
const mostRuns = 200_000;
const behindRequests = 5;

const documents = new Map<CallId, { doc: Y.Doc; runs: number }>();

/** Linux counts a thread's priority by itself; elsewhere this would slow down the whole server. */
if (process.platform === 'linux') setPriority(behindRequests);

parentPort?.on('message', (task: NotesTask) => parentPort?.postMessage(answerOf(task)));
parentPort?.postMessage('ready');

function answerOf(task: NotesTask): NotesAnswer {
  try {
    return answer(task);
  } catch (error) {
    // It may be ahead of what is stored.
    documents.delete(task.call);
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal };
    throw error;
  }
}

function answer(task: NotesTask): NotesAnswer {
  const doc = task.kind === 'load' && task.fresh ? new Y.Doc() : documents.get(task.call)?.doc;
  if (!doc) return { kind: 'absent' };
  if (task.kind === 'load') {
    addStored(doc, task.stored);
    keep(task.call, doc);
    return { kind: 'loaded' };
  }
  if (task.kind === 'read') return { kind: 'read', ...lackOf(doc, task.vector) };
  const added = task.kind === 'merge' ? merge(doc, task.update) : replace(doc, task.text);
  keep(task.call, doc);
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

function keep(call: CallId, doc: Y.Doc): void {
  documents.delete(call);
  documents.set(call, { doc, runs: runsOf(doc) });
  let runs = 0;
  for (const each of documents.values()) runs += each.runs;
  for (const [oldest, { runs: fewer }] of documents) {
    if (documents.size <= mostDocuments && runs <= mostRuns) break;
    if (oldest === call) break;
    documents.delete(oldest);
    runs -= fewer;
  }
}

import { parentPort } from 'node:worker_threads';
import { actionItemsOf } from './action-items.ts';
import { coach } from './coaching.ts';
import { sentimentOf } from './sentiment.ts';
import { task } from './tasks.ts';

/** Runs one task after the other, beside the server's own thread. */
parentPort?.on('message', (message: unknown) => {
  const { id, what, conversation } = task.parse(message);
  const { text, openItems, isOver } = conversation;
  try {
    parentPort?.postMessage({ id, result: run() });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
  function run() {
    if (what === 'sentiment') return sentimentOf(text);
    if (what === 'coaching') return coach(text, openItems, isOver);
    return actionItemsOf(text);
  }
});

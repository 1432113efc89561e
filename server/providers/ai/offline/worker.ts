import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { foundItems } from './action-items.ts';
import { coach } from './coaching.ts';
import { sentimentOf } from './sentiment.ts';
import { type Task, task } from './tasks.ts';

/** Runs one task after the other, beside the server's own thread. */
parentPort?.on('message', (message: unknown) => {
  try {
    parentPort?.postMessage({ result: resultOf(task.parse(message)) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
// A thread that is ended saves nothing at its end.
flushCompileCache();
parentPort?.postMessage('ready');

function resultOf({ what, conversation }: Task) {
  const { text, calledAt, timeZone } = conversation;
  if (what === 'sentiment') return sentimentOf(text, calledAt, timeZone);
  if (what === 'coaching') return coach(conversation);
  return foundItems(text, calledAt, timeZone);
}

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Checks, SsoRefusal } from './asserted.ts';
import { readResponse } from './saml-response.ts';
import type { SamlReading, SamlTask } from './saml-tasks.ts';

const behindRequests = 5;

/** On Linux, priority is per thread; elsewhere this would slow down the whole server. */
if (process.platform === 'linux') setPriority(behindRequests);

parentPort?.on('message', async (task: SamlTask) => parentPort?.postMessage(await read(task)));
// A thread that is ended saves nothing at its end.
flushCompileCache();
parentPort?.postMessage('ready');

async function read({ settings, given }: SamlTask): Promise<SamlReading> {
  const checks = new Checks();
  try {
    const answer = await readResponse(settings, given, checks);
    return { answer, refusal: null, done: checks.done };
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    const { check, message } = error;
    return { answer: null, refusal: { check, message }, done: checks.done };
  }
}

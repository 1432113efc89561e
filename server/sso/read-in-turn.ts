import { networkKey } from '#server/platform/address-key.ts';
import { FairQueue, tooManyWaiting } from '#server/platform/fair-queue.ts';
import { TimedWorker, WorkerEnded } from '#server/platform/timed-worker.ts';
import { type Checks, SsoRefusal } from './asserted.ts';
import type { SamlAnswer } from './saml-response.ts';
import type { SamlReading, SamlTask } from './saml-tasks.ts';

/** Processor time of one response. The worst within all bounds was seen to need a third of it. */
const limitMs = 3_000;
const thread = new TimedWorker<SamlTask, SamlReading>({
  program: new URL('./saml-worker.ts', import.meta.url),
  idleMs: 600_000,
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
});

/** Networks take turns, whichever organizations they post to. */
const turns = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 10 });
/** Responses that wait, of 0.4 MB at most: those to a sign-in that is open, and others. */
const mostWaiting = { asked: 100, unasked: 20 };
const waiting = { asked: 0, unasked: 0 };

/** Where a response came from, and whether it comes with the state of a sign-in that is open. */
interface Sender {
  address: string;
  isAsked: boolean;
}

/**
 * Reads a response in a thread, as `readResponse` does. Anyone can post one. So responses to no open
 * sign-in come after all others, and so do, for ten minutes, those of a network whose response was
 * refused; none is locked out.
 * @throws SsoRefusal; DomainError 429 where ten responses of the network wait, or too many in all
 */
export async function readInTurn(
  { address, isAsked }: Sender,
  task: SamlTask,
  checks: Checks,
): Promise<SamlAnswer> {
  const kind = isAsked ? 'asked' : 'unasked';
  const key = `${kind} ${networkKey(address)}`;
  if (waiting[kind] >= mostWaiting[kind]) throw tooManyWaiting();
  if (!isAsked) turns.overran(key);
  waiting[kind] += 1;
  try {
    return await turns.run(key, async () => {
      const { answer, refusal, done } = await read(task);
      checks.done.push(...done);
      if (answer) return answer;
      turns.overran(key);
      throw new SsoRefusal(refusal.check, refusal.message);
    });
  } finally {
    waiting[kind] -= 1;
  }
}

async function read(task: SamlTask): Promise<SamlReading> {
  try {
    return await thread.run(task, limitMs);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    const message = 'The response takes too long to read.';
    return { answer: null, refusal: { check: 'document', message }, done: [] };
  }
}

import { networkKey } from '#server/platform/address-key.ts';
import { SharedThread } from '#server/platform/shared-thread.ts';
import { WorkerEnded } from '#server/platform/timed-worker.ts';
import { type Checks, SsoRefusal } from './asserted.ts';
import type { SamlAnswer } from './saml-response.ts';
import type { SamlReading, SamlTask } from './saml-tasks.ts';

/** Networks take turns, regardless of the organization that they post to. */
const thread = new SharedThread<SamlTask, SamlReading>({
  program: new URL('./saml-worker.ts', import.meta.url),
  idleMs: 600_000,
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  // The worst response within all bounds took a third of it when measured.
  limitMs: 3_000,
  mostWaiting: 10,
  // Each has 0.4 MB at most.
  mostInAll: 120,
  putsLast: ({ answer }) => answer === null,
});

/** The sender of a response, and whether the response has the state of an open sign-in. */
interface Sender {
  address: string;
  isAsked: boolean;
}

/**
 * Reads a response in a worker thread, as `readResponse` does. Anyone can post one. So responses to no open
 * sign-in come last, and for ten minutes so do those of a network whose response was refused; no network is
 * locked out. If too many wait in total, the network with the most of them loses one.
 * @throws SsoRefusal; DomainError 429 if ten responses of the network wait, or too many in total
 */
export async function readInTurn(
  { address, isAsked }: Sender,
  task: SamlTask,
  checks: Checks,
): Promise<SamlAnswer> {
  const key = `${isAsked ? 'asked' : 'unasked'} ${networkKey(address)}`;
  if (!isAsked) thread.putLast(key);
  const { answer, refusal, done } = await read(key, task);
  checks.done.push(...done);
  if (answer) return answer;
  throw new SsoRefusal(refusal.check, refusal.message);
}

async function read(key: string, task: SamlTask): Promise<SamlReading> {
  try {
    return await thread.run(key, task);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    const message = 'The response takes too long to read.';
    return { answer: null, refusal: { check: 'document', message }, done: [] };
  }
}

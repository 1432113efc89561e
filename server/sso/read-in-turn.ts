import type { OrgId } from '#domain/ids.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
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

/** The thread is taken in turns by organization, each with one response at a time. */
const organizations = new FairQueue({
  atOnce: 1,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});
/** Within an organization, in turns by address: anyone can post a response to its connections. */
const addresses = new Map<OrgId, FairQueue>();
const mostRemembered = 1_000;

/** Who a response came for, and from where. */
interface Sender {
  orgId: OrgId;
  address: string;
}

/**
 * Reads a response in a thread, as `readResponse` does. An address whose response was refused comes
 * after all others of the organization for ten minutes, and is locked out of nothing.
 * @throws SsoRefusal; DomainError 429 where 20 responses of the address wait
 */
export function readInTurn({ orgId, address }: Sender, task: SamlTask, checks: Checks) {
  const queue = addressesOf(orgId);
  const key = addressKey(address);
  return queue.run(key, async (): Promise<SamlAnswer> => {
    const { answer, refusal, done } = await read(orgId, task);
    checks.done.push(...done);
    if (answer) return answer;
    queue.overran(key);
    throw new SsoRefusal(refusal.check, refusal.message);
  });
}

function read(orgId: OrgId, task: SamlTask): Promise<SamlReading> {
  return organizations.run(orgId, async () => {
    try {
      return await thread.run(task, limitMs);
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      organizations.overran(orgId);
      const message = 'The response takes too long to read.';
      return { answer: null, refusal: { check: 'document', message }, done: [] };
    }
  });
}

function addressesOf(orgId: OrgId): FairQueue {
  const queue = addresses.get(orgId) ?? new FairQueue({ atOnce: 1, perKey: 1, mostWaiting: 20 });
  addresses.delete(orgId);
  addresses.set(orgId, queue);
  const [oldest] = addresses.keys();
  if (addresses.size > mostRemembered && oldest) addresses.delete(oldest);
  return queue;
}

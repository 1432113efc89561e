import pMap from 'p-map';
import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { syncSubscription } from './sync-subscription.ts';

/** How often stored webhooks are looked for. */
const everySeconds = 2;
const mostAtOnce = 100;
/** Organizations whose subscriptions are read at the same time. */
const concurrency = 4;

interface Taken {
  orgId: OrgId;
  events: string[];
}
const take: Statement = {
  name: 'take_billing_events',
  text: 'select org_id as "orgId", events from take_billing_events($1)',
};
const finish: Statement = {
  name: 'finish_billing_events',
  text: `update billing_events set processed_at = now()
    where org_id = $1 and id = any($2) and processed_at is null`,
};

type Processing = Pick<Services, 'database' | 'billing' | 'log'>;

/**
 * Processes stored webhooks until none is due. All of an organization's together take one reading
 * of its subscription. What fails is tried again later and later, for three days.
 */
export async function processBillingEvents(
  services: Processing,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { database } = services;
  for (;;) {
    const taken = await database.background(({ run }) => run<Taken & object>(take, [mostAtOnce]));
    if (taken.length === 0) return;
    await pMap(taken, (one) => processOne(services, one), { concurrency });
    if (isStopping()) return;
  }
}

async function processOne(
  { database, billing, log }: Processing,
  { orgId, events }: Taken,
): Promise<void> {
  if (!billing) return;
  try {
    await syncSubscription({ database, billing }, orgId);
    const tenant = tenantOf(database, { kind: 'system', name: 'billing', orgId }, null);
    await tenant.connection(({ run }) => run(finish, [orgId, events]));
  } catch (error) {
    log.warn({ err: error, orgId, events }, 'a billing webhook could not be processed yet');
  }
}

/** Processes webhooks until it is stopped; nothing without a card provider. */
export function startProcessingBillingEvents(services: Services): Repeated {
  if (!services.billing) return { stop: async () => undefined };
  const failed = 'billing webhooks could not be looked for';
  return repeat({ everySeconds, log: services.log, failed }, (isStopping) =>
    processBillingEvents(services, isStopping),
  );
}

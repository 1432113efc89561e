import type { OrgId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';
import { syncSubscription } from './sync-subscription.ts';

const hourMs = 3_600_000;
/** Stripe sends a webhook again for three days. */
const daysKept = 30;
const mostAtOnce = 500;

const toRead: Statement = {
  name: 'subscriptions_to_read',
  text: 'select org_id as "orgId" from subscriptions_to_read($1, $2)',
};
const forget: Statement = {
  name: 'forget_billing_events',
  text: 'select forget_billing_events($1)',
};

/**
 * Reads the subscriptions that no webhook has had read for an hour, so that a webhook which never
 * arrived changes the plan an hour late at most.
 */
export async function reconcileSubscriptions(
  { database, billing, log }: Pick<Services, 'database' | 'billing' | 'log'>,
  now: Date,
): Promise<void> {
  if (!billing) return;
  const readBefore = new Date(now.getTime() - hourMs);
  const due = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId }>(toRead, [readBefore, mostAtOnce]),
  );
  const read = ({ orgId }: { orgId: OrgId }) => syncSubscription({ database, billing }, orgId);
  await eachApart(log, due, read, 'a subscription could not be read');
}

/** Deletes what is known of webhooks that arrived a month ago. */
export async function forgetBillingEvents(
  { database }: Pick<Services, 'database'>,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - daysKept * 24 * hourMs);
  await database.connection('outside', ({ run }) => run(forget, [before]));
}

export function billingJobs(services: Services): void {
  services.jobs.define('billing-reconcile', { everyCron: '*/20 * * * *' }, () =>
    reconcileSubscriptions(services, new Date()),
  );
  services.jobs.define('billing-forget', { everyCron: '23 4 * * *' }, () =>
    forgetBillingEvents(services, new Date()),
  );
}

import type { PlanId } from '#domain/billing/plans.ts';
import type { BillingInterval, SubscriptionStatus } from '#domain/billing/subscription.ts';
import { hasEnded, isEntitled } from '#domain/billing/subscription.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { changeOrganization, lockOrganization } from '#server/organizations/store.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { ProviderSubscription } from '#server/providers/billing/port.ts';

/** An organization's subscription as it was last read. */
export interface StoredSubscription {
  customerId: string | null;
  attempt: number;
  version: number;
  subscriptionId: string | null;
  status: SubscriptionStatus | null;
  interval: BillingInterval | null;
  periodEndsAt: Date | null;
  cancelsAt: Date | null;
  grantedPlan: PlanId | null;
}

const columns = `customer_id as "customerId", attempt, version, subscription_id as "subscriptionId", status,
  billing_interval as "interval", period_ends_at as "periodEndsAt", cancels_at as "cancelsAt",
  granted_plan as "grantedPlan"`;
const read: Statement = {
  name: 'read_subscription',
  text: `select ${columns} from subscriptions where org_id = $1`,
};
const begin: Statement = {
  name: 'begin_subscription',
  text: `insert into subscriptions (org_id) values ($1) on conflict (org_id) do nothing`,
};
const keepCustomer: Statement = {
  name: 'keep_billing_customer',
  text: `update subscriptions set customer_id = coalesce(customer_id, $2) where org_id = $1
    returning ${columns}`,
};
const write: Statement = {
  name: 'write_subscription',
  text: `update subscriptions set version = version + 1, read_at = now(), customer_id = $3, attempt = $4,
      subscription_id = $5, status = $6, billing_interval = $7, period_ends_at = $8, cancels_at = $9,
      granted_plan = $10
    where org_id = $1 and version = $2 returning ${columns}`,
};

/** Returns what was last read; null if the organization never began to subscribe. */
export async function readStored({
  run,
  tenant,
}: TenantConnection): Promise<StoredSubscription | null> {
  const [row] = await run<StoredSubscription & object>(read, [tenant.orgId]);
  return row ?? null;
}

export async function beginSubscription(tx: TenantConnection): Promise<void> {
  await tx.run(begin, [tx.tenant.orgId]);
}

/** Stores the customer, unless another request has stored one meanwhile, and returns what is stored. */
export async function storeCustomer(
  { run, tenant }: TenantConnection,
  customerId: string,
): Promise<StoredSubscription> {
  const [row] = await run<StoredSubscription & object>(keepCustomer, [tenant.orgId, customerId]);
  if (!row) throw new Error('the organization has not begun to subscribe');
  return row;
}

/**
 * Stores what the provider answered, and changes the organization's plan accordingly.
 * @param before as it was stored when the provider was asked
 * @returns null if another answer was stored meanwhile, which may be newer
 */
export async function storeAnswer(
  tx: TenantConnection,
  before: StoredSubscription,
  found: ProviderSubscription | null | 'no-customer',
): Promise<StoredSubscription | null> {
  const { plan } = await lockOrganization(tx);
  const known = found === 'no-customer' ? null : found;
  const granted = known && isEntitled(known.status) ? 'professional' : null;
  const [after] = await tx.run<StoredSubscription & object>(write, [
    ...[tx.tenant.orgId, before.version],
    found === 'no-customer' ? null : before.customerId,
    before.attempt + (isOver(before, found) ? 1 : 0),
    ...[known?.id, known?.status, known?.interval, known?.periodEndsAt, known?.cancelsAt, granted],
  ]);
  if (!after) return null;
  const metadata = changesOf(before, after);
  const next = planAfter(plan, before.grantedPlan, granted);
  if (next !== plan) {
    const changed = { ...metadata, plan: { from: plan, to: next } };
    await changeOrganization(tx, { plan: next }, { action: 'SUBSCRIPTION_CHANGED', ...changed });
  } else if (metadata.fields.length > 0) {
    const { orgId } = tx.tenant;
    const about = { entity: 'organization' as const, entityId: orgId, metadata };
    await recordEvent(tx, { action: 'SUBSCRIPTION_CHANGED', ...about });
  }
  return after;
}

/** Whether the next customer or subscription is another one than what was begun before. */
function isOver(before: StoredSubscription, found: ProviderSubscription | null | 'no-customer') {
  if (found === 'no-customer') return true;
  const endedBefore = before.status !== null && hasEnded(before.status);
  return (
    found !== null && hasEnded(found.status) && !(endedBefore && before.subscriptionId === found.id)
  );
}

/** The operator's choice of a plan stays: a subscription only raises Starter, and takes back what it gave. */
function planAfter(plan: PlanId, before: PlanId | null, granted: PlanId | null): PlanId {
  if (granted) return plan === 'starter' ? granted : plan;
  return before && plan === before ? 'starter' : plan;
}

function changesOf(before: StoredSubscription, after: StoredSubscription) {
  const fields = (['subscriptionId', 'status', 'interval'] as const).filter(
    (field) => before[field] !== after[field],
  );
  const cancels = before.cancelsAt?.getTime() !== after.cancelsAt?.getTime();
  return {
    fields: [...fields, ...(cancels ? ['cancelsAt'] : [])],
    status: { from: before.status, to: after.status },
  };
}

import { hasEnded, isEntitled } from '#domain/billing/subscription.ts';
import { DomainError } from '#domain/errors.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import type { BillingProvider, ProviderSubscription } from '#server/providers/billing/port.ts';
import { readAccount } from './store.ts';
import {
  beginSubscription,
  readStored,
  type StoredSubscription,
  storeCustomer,
} from './subscription-store.ts';
import { type Synced, syncSubscription } from './sync-subscription.ts';

interface Seller {
  database: Database;
  billing: BillingProvider;
}

/**
 * Returns the organization's subscription, creating it if necessary. Requests at the same time
 * create one: they send the same idempotency keys.
 * @param email of the admin who asks, for a new customer's receipts
 * @throws DomainError 409 for invoices that the payment form cannot pay
 */
export async function getOrCreateSubscription(seller: Seller, tenant: Tenant, email: string) {
  const name = await tenant.transaction(async (tx) => {
    await recordEvent(tx, {
      action: 'SUBSCRIPTION_REQUESTED',
      entity: 'organization',
      entityId: tenant.orgId,
    });
    await beginSubscription(tx);
    return (await readAccount(tx, new Date())).name;
  });
  const customer = () => withCustomer(seller, tenant, { name, email });
  let synced = await customer().then(() => syncSubscription(seller, tenant.orgId));
  // The customer was deleted at the provider.
  if (!synced?.stored.customerId) {
    await customer();
    synced = await syncSubscription(seller, tenant.orgId);
  }
  if (!synced) throw owed();
  return answerOf(await openSubscription(seller, tenant, synced));
}

/** Returns the stored row, with a customer. */
async function withCustomer(
  { billing }: Seller,
  tenant: Tenant,
  { name, email }: { name: string; email: string },
): Promise<StoredSubscription> {
  const stored = await tenant.connection(readStored);
  if (stored?.customerId) return stored;
  const { orgId } = tenant;
  const key = `${orgId}:customer:${stored?.attempt ?? 0}`;
  const id = await billing.createCustomer({ orgId, name, email }, key);
  return tenant.connection((at) => storeCustomer(at, id));
}

/** Returns the subscription that is open, or a new one, which is stored, too. */
async function openSubscription(
  { database, billing }: Seller,
  { orgId }: Tenant,
  { stored, found }: Synced,
): Promise<ProviderSubscription> {
  if (found && !hasEnded(found.status)) return found;
  const { customerId, attempt } = stored;
  if (!customerId) throw owed();
  const created = await billing.createSubscription(customerId, `${orgId}:subscription:${attempt}`);
  await syncSubscription({ database, billing }, orgId);
  return created;
}

function answerOf({ id, status, clientSecret }: ProviderSubscription) {
  if (isEntitled(status)) return { subscriptionId: id };
  if (clientSecret) return { clientSecret };
  throw owed();
}

const owed = () =>
  new DomainError(
    'conflict',
    'subscription_owed',
    'Your subscription has an open invoice. Choose Manage billing to pay it.',
  );

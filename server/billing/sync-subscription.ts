import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import type { BillingProvider, ProviderSubscription } from '#server/providers/billing/port.ts';
import { readStored, type StoredSubscription, storeAnswer } from './subscription-store.ts';

/** Readings that overlap with others are repeated. More overlaps than this are not to be expected. */
const mostReadings = 8;

/** A subscription, and what its provider answered. */
export interface Synced {
  stored: StoredSubscription;
  found: ProviderSubscription | null;
}

/**
 * Reads the organization's subscription from the card provider, and stores it. An answer is stored
 * only if no other was stored since it was asked for, so whatever the order of webhooks, the newest
 * state stays.
 * @returns null for an organization without a customer at the provider
 */
export async function syncSubscription(
  { database, billing }: { database: Database; billing: BillingProvider },
  orgId: OrgId,
): Promise<Synced | null> {
  const tenant = tenantOf(database, { kind: 'system', name: 'billing', orgId }, null);
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const before = await tenant.connection(readStored);
    if (!before?.customerId) return null;
    const found = await billing.findSubscription(before.customerId);
    const stored = await tenant.transaction((tx) => storeAnswer(tx, before, found));
    if (stored) return { stored, found: found === 'no-customer' ? null : found };
  }
  throw new DomainError(
    'unavailable',
    'subscription_changes',
    'Your subscription is changing right now. Please try again in a moment.',
  );
}

import { type Feature, standingOf } from '#domain/billing/entitlements.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';
import { readAccount } from './store.ts';

/** Returns whether the organization's plan has a feature. Without a card provider, every plan has all of them. */
export async function hasFeature(
  at: TenantConnection,
  billing: BillingProvider | null,
  feature: Feature,
): Promise<boolean> {
  if (billing === null) return true;
  const now = new Date();
  return standingOf(await readAccount(at, now), now, true).features.includes(feature);
}

import { DomainError } from '#domain/errors.ts';
import { hasFeature } from '#server/billing/has-feature.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';

/**
 * Requires a plan with single sign-on to switch it on. An active connection is never switched off.
 * @throws DomainError 402 if a card provider is set up and the plan has no single sign-on
 */
export async function requirePlan(
  tx: TenantConnection,
  billing: BillingProvider | null,
): Promise<void> {
  if (await hasFeature(tx, billing, 'scimSso')) return;
  throw new DomainError(
    'plan_limit',
    'plan_limit_sso',
    'Single sign-on is part of the Enterprise plan. Contact us in Settings, Billing, to get it.',
  );
}

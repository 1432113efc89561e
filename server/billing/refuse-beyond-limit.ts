import { standingOf } from '#domain/billing/entitlements.ts';
import { DomainError } from '#domain/errors.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';
import { lockAccount, readAccount } from './store.ts';

/**
 * Checks the limit in the transaction that starts a call. Limits apply only where a card provider
 * is set up. A running call is never ended.
 * @throws DomainError 402 when the plan has no call left
 */
export async function refuseBeyondLimit(
  tx: TenantConnection,
  billing: BillingProvider | null,
  now: Date,
): Promise<void> {
  if (billing === null) return;
  await lockAccount(tx);
  const { callsLeft, callsPerMonth } = standingOf(await readAccount(tx, now), now, true);
  if (callsLeft === null || callsLeft > 0) return;
  throw new DomainError(
    'plan_limit',
    'plan_limit_calls',
    `You’ve used all ${callsPerMonth ?? 0} video calls in your plan this month. Upgrade in Settings, Billing, or wait until next month.`,
  );
}

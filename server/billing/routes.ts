import * as contract from '#domain/billing/contract.ts';
import { standingOf, statusOf } from '#domain/billing/entitlements.ts';
import { DomainError } from '#domain/errors.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { readAccount } from './store.ts';

export function billingRoutes(site: Site): void {
  const { billing } = site;
  const subscribing = limit(site, 'subscription', 30, 600);

  tenantRoute(site, contract.readBilling, async ({ tenant }) => {
    const now = new Date();
    // Sums the calls of all rooms.
    const account = await tenant.sharedRead(['billing'], (at) => readAccount(at, now));
    const { features, callsPerMonth, callsLeft, trial } = standingOf(
      account,
      now,
      billing !== null,
    );
    return answer(200, {
      provider: billing?.name ?? null,
      plan: account.plan,
      status: statusOf(account.plan),
      features: [...features],
      usage: { callsThisMonth: account.callsThisMonth, callsPerMonth, callsLeft },
      trial: trial && { ...trial, endsAt: trial.endsAt.toISOString() },
    });
  });

  tenantRoute(site, contract.getOrCreateSubscription, async ({ tenant }) => {
    if (billing === null) {
      throw new DomainError(
        'conflict',
        'billing_not_configured',
        'Billing isn’t set up. All features are included, with nothing to pay.',
      );
    }
    subscribing(tenant.orgId);
    const { name } = await tenant.transaction(async (tx) => {
      await recordEvent(tx, {
        action: 'SUBSCRIPTION_REQUESTED',
        entity: 'organization',
        entityId: tenant.orgId,
      });
      return readAccount(tx, new Date());
    });
    return answer(200, await billing.getOrCreateSubscription({ id: tenant.orgId, name }));
  });
}

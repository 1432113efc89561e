import * as contract from '#domain/billing/contract.ts';
import { standingOf, statusOf } from '#domain/billing/entitlements.ts';
import { DomainError } from '#domain/errors.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';
import { readAccount } from './store.ts';
import { getOrCreateSubscription } from './subscribe.ts';
import { readStored, type StoredSubscription } from './subscription-store.ts';
import { syncSubscription } from './sync-subscription.ts';

export function billingRoutes(site: Site): void {
  const { billing, database } = site;
  const subscribing = limit(site, 'subscription', 30, 600);
  // Each asks the card provider.
  const asking = limit(site, 'billing', 60, 600);

  tenantRoute(site, contract.readBilling, async ({ tenant }) => {
    const now = new Date();
    // Sums the calls of all rooms.
    const [account, stored] = await tenant.sharedRead(['billing'], async (at) => [
      await readAccount(at, now),
      billing && (await readStored(at)),
    ]);
    const { features, callsPerMonth, callsLeft, trial } = standingOf(
      account,
      now,
      billing !== null,
    );
    return answer(200, {
      provider: billing?.name ?? null,
      publishableKey: billing?.publishableKey ?? null,
      plan: account.plan,
      subscription: stored && asSubscription(stored),
      status: statusOf(account.plan),
      features: [...features],
      usage: { callsThisMonth: account.callsThisMonth, callsPerMonth, callsLeft },
      trial: trial && { ...trial, endsAt: trial.endsAt.toISOString() },
    });
  });

  tenantRoute(site, contract.getOrCreateSubscription, async ({ tenant, user }) => {
    const seller = { database, billing: configured(billing) };
    subscribing(tenant.orgId);
    return answer(200, await getOrCreateSubscription(seller, tenant, user.email));
  });

  tenantRoute(site, contract.readBillingDetails, async ({ tenant }) => {
    if (billing === null) return answer(200, { offers: [], invoices: [] });
    asking(tenant.orgId);
    const stored = await tenant.connection(readStored);
    const [offers, invoices] = await Promise.all([
      billing.listOffers(),
      stored?.customerId ? billing.listInvoices(stored.customerId) : [],
    ]);
    return answer(200, { offers, invoices });
  });

  tenantRoute(site, contract.openPortal, async ({ tenant, request }) => {
    const provider = configured(billing);
    asking(tenant.orgId);
    const customerId = await customerOf(tenant);
    const back = `${publicUrl(site.config, request)}/app/settings/billing`;
    const url = await provider.openPortal(customerId, back);
    await tenant.transaction((tx) =>
      recordEvent(tx, {
        action: 'BILLING_PORTAL_OPENED',
        entity: 'organization',
        entityId: tenant.orgId,
      }),
    );
    return answer(200, { url });
  });

  tenantRoute(site, contract.previewPlanChange, async ({ tenant, body }) => {
    const provider = configured(billing);
    asking(tenant.orgId);
    const at = Math.floor(Date.now() / 1000);
    return answer(200, await provider.previewChange(await customerOf(tenant), body.interval, at));
  });

  tenantRoute(site, contract.changePlan, async ({ tenant, body }) => {
    const provider = configured(billing);
    asking(tenant.orgId);
    const { interval, prorationAt } = body;
    refuseOldPreview(prorationAt);
    const customerId = await customerOf(tenant);
    await tenant.transaction((tx) =>
      recordEvent(tx, {
        action: 'PLAN_CHANGE_REQUESTED',
        entity: 'organization',
        entityId: tenant.orgId,
        metadata: { interval },
      }),
    );
    await provider.change(customerId, interval, prorationAt);
    await syncSubscription({ database, billing: provider }, tenant.orgId);
    return answer(200, { interval });
  });
}

function configured(billing: BillingProvider | null): BillingProvider {
  if (billing) return billing;
  throw new DomainError(
    'conflict',
    'billing_not_configured',
    'Billing isn’t set up. All features are included, with nothing to pay.',
  );
}

async function customerOf(tenant: Tenant): Promise<string> {
  const stored = await tenant.connection(readStored);
  if (stored?.customerId) return stored.customerId;
  throw new DomainError(
    'conflict',
    'not_subscribed',
    'You have no paid subscription to change. Upgrade first.',
  );
}

/** In seconds: how long a shown price is kept. */
const previewLasts = 900;

function refuseOldPreview(prorationAt: number): void {
  const age = Date.now() / 1000 - prorationAt;
  if (age > -60 && age < previewLasts) return;
  throw new DomainError(
    'conflict',
    'preview_expired',
    'The price was calculated a while ago. Look at the new one, and confirm again.',
  );
}

/** A subscription that was never paid for, and expired, is none. */
function asSubscription({ status, interval, periodEndsAt, cancelsAt }: StoredSubscription) {
  if (!status || !interval || status === 'incomplete_expired') return null;
  return {
    status,
    interval,
    periodEndsAt: periodEndsAt?.toISOString() ?? null,
    cancelsAt: cancelsAt?.toISOString() ?? null,
  };
}

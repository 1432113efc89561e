import type Stripe from 'stripe';
import { type SubscriptionStatus, subscriptionStatuses } from '#domain/billing/subscription.ts';
import type { ProviderSubscription } from '#server/providers/billing/port.ts';

/** The open payment's secret comes with the latest invoice. */
export const withSecret = 'latest_invoice.confirmation_secret';

/** The further down, the less a subscription says about what the customer has paid for. */
const order: readonly SubscriptionStatus[] = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'canceled',
  'incomplete_expired',
];

/** Returns the subscription that counts: what is paid for before the rest, then the newest. */
export function chooseSubscription(all: readonly Stripe.Subscription[]) {
  const rank = ({ status }: Stripe.Subscription) => order.indexOf(knownStatus(status));
  return [...all].sort((a, b) => rank(a) - rank(b) || b.created - a.created)[0] ?? null;
}

export function describeSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const { id, cancel_at, cancel_at_period_end, latest_invoice: invoice } = subscription;
  const item = subscription.items.data[0];
  const periodEndsAt = item ? ofSeconds(item.current_period_end) : null;
  const secret = invoice && typeof invoice === 'object' ? invoice.confirmation_secret : null;
  return {
    id,
    status: knownStatus(subscription.status),
    interval: item?.price.recurring?.interval === 'year' ? 'year' : 'month',
    periodEndsAt,
    cancelsAt: cancel_at ? ofSeconds(cancel_at) : cancel_at_period_end ? periodEndsAt : null,
    clientSecret: secret?.client_secret ?? null,
  };
}

/** A state that Stripe adds later grants nothing. */
const knownStatus = (status: string): SubscriptionStatus =>
  subscriptionStatuses.find((known) => known === status) ?? 'paused';

const ofSeconds = (seconds: number) => new Date(seconds * 1000);

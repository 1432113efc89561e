/** The states of a subscription, in the card provider's words. */
export const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const billingIntervals = ['month', 'year'] as const;
export type BillingInterval = (typeof billingIntervals)[number];

const ended: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired'];
const entitled: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due'];

/** Whether the subscription will never be charged again, so that a new one may be created. */
export const hasEnded = (status: SubscriptionStatus) => ended.includes(status);

/**
 * Whether the subscription means Professional. While a renewal is past due, the card provider tries
 * again, and the organization keeps its plan.
 */
export const isEntitled = (status: SubscriptionStatus) => entitled.includes(status);

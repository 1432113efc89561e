import type { BillingProvider } from '#server/providers/billing/port.ts';

/** A card provider in which somebody has paid once `paid` has the organization's id. */
export function fakeBilling(): BillingProvider & { paid: Set<string>; asked: string[] } {
  const paid = new Set<string>();
  const asked: string[] = [];
  return {
    name: 'stripe',
    paid,
    asked,
    getOrCreateSubscription: async ({ id }) => {
      asked.push(id);
      return paid.has(id) ? { subscriptionId: `sub_${id}` } : { clientSecret: `secret_${id}` };
    },
  };
}

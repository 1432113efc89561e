import type { BillingProvider } from '#server/providers/billing/port.ts';

/** A card provider for which an organization has paid once `paid` contains its id. */
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

import { DomainError } from '#domain/errors.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';

/** A card provider whose customers all have a paid subscription, for tests of other subjects. */
export function fakeBilling(): BillingProvider {
  const unreachable = async () => {
    throw new DomainError('unavailable', 'card_provider_unavailable', 'Please try again later.');
  };
  return {
    name: 'stripe',
    publishableKey: 'pk_test_fake',
    createCustomer: async ({ orgId }) => `cus_${orgId}`,
    findSubscription: async (customerId) => ({
      id: customerId.replace('cus', 'sub'),
      status: 'active',
      interval: 'month',
      periodEndsAt: null,
      cancelsAt: null,
      clientSecret: null,
    }),
    createSubscription: unreachable,
    deleteCustomer: async () => undefined,
    openPortal: async (customerId) => `https://billing.stripe.com/${customerId}`,
    listInvoices: async () => [],
    listOffers: async () => [],
    previewChange: async (_, __, prorationAt) => ({
      amount: 0,
      currency: 'usd',
      lines: [],
      prorationAt,
    }),
    change: async () => undefined,
    readEvent: () => null,
  };
}

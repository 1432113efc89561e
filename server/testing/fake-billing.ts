import type { BillingProvider } from '#server/providers/billing/port.ts';
import type { TestApp } from './open-test-app.ts';

/** A card provider at which nobody has paid yet, for tests of other subjects. */
export function fakeBilling(): BillingProvider {
  return {
    name: 'stripe',
    publishableKey: 'pk_test_fake',
    createCustomer: async ({ orgId }) => `cus_${orgId}`,
    findSubscription: async () => null,
    createSubscription: async (customerId) => ({
      id: customerId.replace('cus', 'sub'),
      status: 'incomplete',
      interval: 'month',
      periodEndsAt: null,
      cancelsAt: null,
      clientSecret: 'pi_secret',
    }),
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

/** Makes the organization a customer of the card provider. */
export async function storeCustomer({ owner }: TestApp, orgId: string | null): Promise<void> {
  await owner.query('insert into subscriptions (org_id, customer_id) values ($1, $2)', [
    orgId,
    `cus_${orgId}`,
  ]);
}

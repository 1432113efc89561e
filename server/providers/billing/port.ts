/** A provider of card payments. */
export interface BillingProvider {
  readonly name: 'stripe';
  /**
   * Returns the organization's subscription, creating it if necessary: its id once a payment has
   * succeeded, before that the secret with which the payment form confirms the first payment.
   */
  getOrCreateSubscription(organization: {
    id: string;
    name: string;
  }): Promise<{ subscriptionId: string } | { clientSecret: string }>;
}

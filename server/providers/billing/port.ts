/** Whoever takes an organization's payments by card. */
export interface BillingProvider {
  readonly name: 'stripe';
  /**
   * The organization's subscription, made where it has none: its id once a payment has succeeded, until
   * then the secret with which the payment form confirms the first one.
   */
  getOrCreateSubscription(organization: {
    id: string;
    name: string;
  }): Promise<{ subscriptionId: string } | { clientSecret: string }>;
}

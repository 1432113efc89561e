import type { Invoice, Offer, PlanChangePreview } from '#domain/billing/contract.ts';
import type { BillingInterval, SubscriptionStatus } from '#domain/billing/subscription.ts';

/** A subscription as the provider describes it now. */
export interface ProviderSubscription {
  id: string;
  status: SubscriptionStatus;
  interval: BillingInterval;
  periodEndsAt: Date | null;
  cancelsAt: Date | null;
  /** What a payment form confirms the open payment with; null if nothing is open. */
  clientSecret: string | null;
}

/** A webhook whose signature was verified. It says what has changed, not how. */
export interface BillingEvent {
  id: string;
  type: string;
  customerId: string;
  occurredAt: Date;
}

export interface NewCustomer {
  orgId: string;
  name: string;
  email: string;
}

/**
 * A provider of card payments. Cards are entered on its own pages and forms.
 * @throws DomainError `unavailable` where it cannot be reached or fails; 402 where a card is declined
 */
export interface BillingProvider {
  readonly name: 'stripe';
  /** Public: the provider's code in the page names the installation by it. */
  readonly publishableKey: string;
  /** Requests with the same `requestKey` create one customer. */
  createCustomer(customer: NewCustomer, requestKey: string): Promise<string>;
  /**
   * Returns the customer's subscription: one that is paid before others, otherwise the newest; null
   * without one, 'no-customer' if the customer was deleted.
   */
  findSubscription(customerId: string): Promise<ProviderSubscription | null | 'no-customer'>;
  /** Creates one that waits for its first payment. Requests with the same `requestKey` create one. */
  createSubscription(customerId: string, requestKey: string): Promise<ProviderSubscription>;
  /** Ends all subscriptions immediately. A customer who was deleted before is no failure. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Returns the address of the customer's page for cards, invoices and cancellation. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  listInvoices(customerId: string): Promise<Invoice[]>;
  /** What Professional costs. */
  listOffers(): Promise<Offer[]>;
  previewChange(
    customerId: string,
    interval: BillingInterval,
    prorationAt: number,
  ): Promise<PlanChangePreview>;
  /** Charges the amount of the preview with the same `prorationAt`, or changes nothing. */
  change(customerId: string, interval: BillingInterval, prorationAt: number): Promise<void>;
  /**
   * Returns the webhook's event; null for one that concerns no subscription.
   * @param body the exact text that was received
   * @throws DomainError 400 unless it was signed by the provider within the last five minutes
   */
  readEvent(body: string, signature: string): BillingEvent | null;
}

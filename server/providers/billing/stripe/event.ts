import type Stripe from 'stripe';
import { DomainError } from '#domain/errors.ts';
import type { BillingEvent } from '#server/providers/billing/port.ts';

/** A header of Stripe's form; a stranger's request is refused by it before its body is read. */
export const stripeSignature = /^(?=.*\bt=\d{1,12}\b)(?=.*\bv1=[0-9a-f]{64}\b)[\w=,]{1,1000}$/;

/** In seconds. A body that was recorded is refused afterwards. */
const tolerance = 300;

/**
 * Returns the event of a webhook; null for one that concerns no subscription.
 * @throws DomainError 400 unless Stripe signed it within the last five minutes
 */
export function readStripeEvent(
  stripe: Stripe,
  secret: string,
  { body, signature }: { body: string; signature: string },
): BillingEvent | null {
  const event = verified(() => stripe.webhooks.constructEvent(body, signature, secret, tolerance));
  const customerId = customerOf(event);
  if (!customerId || !isAboutSubscriptions(event.type)) return null;
  return { id: event.id, type: event.type, customerId, occurredAt: new Date(event.created * 1000) };
}

function verified(read: () => Stripe.Event): Stripe.Event {
  try {
    return read();
  } catch {
    throw new DomainError('invalid', 'bad_signature', 'This webhook isn’t signed by Stripe.');
  }
}

const isAboutSubscriptions = (type: string) =>
  /^(customer\.subscription\.|invoice\.(paid|payment_|voided|marked_)|customer\.deleted$)/.test(
    type,
  );

function customerOf({ data, type }: Stripe.Event): string | null {
  const { object } = data;
  if (type === 'customer.deleted') return 'id' in object ? String(object.id) : null;
  const customer = 'customer' in object ? object.customer : null;
  if (typeof customer === 'string') return customer;
  return customer && typeof customer === 'object' && 'id' in customer ? String(customer.id) : null;
}

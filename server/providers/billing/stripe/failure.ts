import Stripe from 'stripe';
import { DomainError } from '#domain/errors.ts';

const { errors } = Stripe;

/**
 * Runs requests to Stripe.
 * @throws DomainError 402 with Stripe's sentence where a card is declined; otherwise `unavailable`,
 *   whose cause is Stripe's error
 */
export async function asking<T>(requests: () => Promise<T>): Promise<T> {
  try {
    return await requests();
  } catch (error) {
    if (!(error instanceof errors.StripeError)) throw error;
    if (error instanceof errors.StripeCardError) {
      throw new DomainError('payment_failed', 'card_declined', error.message);
    }
    throw unavailable(error);
  }
}

/** The request cannot succeed because the account at Stripe is not set up for it. */
export const misconfigured = (cause: string) => unavailable(new Error(cause));

function unavailable(cause: Error): DomainError {
  const failure = new DomainError(
    'unavailable',
    'card_provider_unavailable',
    'The card provider can’t be reached right now. Nothing was charged. Please try again later.',
  );
  failure.cause = cause;
  return failure;
}

/**
 * Whether Stripe answers every later request with this idempotency key the same way: it keeps
 * server errors, and refuses other parameters.
 */
export const isKeptForKey = (error: unknown): boolean =>
  error instanceof errors.StripeIdempotencyError ||
  (error instanceof errors.StripeAPIError && (error.statusCode ?? 0) >= 500);

export const isMissing = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';

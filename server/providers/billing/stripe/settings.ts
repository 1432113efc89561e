import { z } from 'zod';
import { isSafeAddress } from '#server/providers/safe-address.ts';
import { blankIsUnset, when } from '#server/providers/setting.ts';

const orElse = (fallback: string) => (value: string | undefined) => value ?? fallback;

/** The settings for Stripe. */
export const stripeSettings = {
  STRIPE_SECRET_KEY: when(
    (value) => /^(sk|rk)_(test|live)_/.test(value),
    'give the secret key (sk_…) or a restricted one (rk_…)',
  ).describe('Key of your Stripe account’s API. Unset: no cards, no plan limits.'),
  STRIPE_PUBLISHABLE_KEY: when(
    (value) => /^pk_(test|live)_/.test(value),
    'give the publishable key (pk_…)',
  ).describe('Names your Stripe account to browsers (pk_…). Not confidential.'),
  STRIPE_WEBHOOK_SECRET: when(
    (value) => value.startsWith('whsec_'),
    'give the endpoint’s signing secret (whsec_…)',
  ).describe('Signs Stripe’s webhooks to /api/webhooks/stripe.'),
  STRIPE_PROFESSIONAL_PRICE: blankIsUnset
    .transform(orElse('professional_monthly'))
    .describe('Monthly price of Professional at Stripe: its id (price_…) or lookup_key.'),
  STRIPE_PROFESSIONAL_YEARLY_PRICE: blankIsUnset
    .transform(orElse('professional_yearly'))
    .describe('Yearly price, the same way. Without such a price, only monthly billing is offered.'),
  STRIPE_API_BASE: when(isSafeAddress, 'give an address like https://api.stripe.com')
    .transform(orElse('https://api.stripe.com'))
    .describe('Stripe’s API. Unset: https://api.stripe.com.'),
};
const schema = z.object(stripeSettings);
export type StripeSettings = z.infer<typeof schema>;

/** Returns an error message if settings for Stripe are missing or do not match; null otherwise. */
export function missingOfStripe(given: StripeSettings): string | null {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = given;
  const all = [STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET];
  if (!all.some(Boolean)) return null;
  if (!all.every(Boolean)) {
    return 'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET: set all three, or none.';
  }
  const [secret, publishable] = [STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY].map((key) =>
    key?.includes('_live_'),
  );
  if (secret === publishable) return null;
  return 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY: one is of the test mode, the other is not.';
}

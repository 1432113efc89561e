import type { BillingProvider } from './port.ts';
import type { StripeSettings } from './stripe/settings.ts';

/** Returns the configured card provider. Without one, no limit applies, and its code is not loaded. */
export async function chooseBilling(config: StripeSettings): Promise<BillingProvider | null> {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = config;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) return null;
  const { stripeBilling } = await import('./stripe/stripe.ts');
  return stripeBilling({
    ...config,
    STRIPE_SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY,
    STRIPE_WEBHOOK_SECRET,
  });
}

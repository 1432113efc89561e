import type { BillingProvider } from './port.ts';

/** The card provider that is set up: none yet, so that no limit binds. Stripe joins here. */
export const chooseBilling = (): BillingProvider | null => null;

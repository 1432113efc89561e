import type { BillingProvider } from './port.ts';

/** Returns the configured card provider. There is no adapter yet, so no limit applies. */
export const chooseBilling = (): BillingProvider | null => null;

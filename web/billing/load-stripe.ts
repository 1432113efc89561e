import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

let isAllowed = false;

/**
 * Loads Stripe's code, which must come from Stripe.
 * @throws an Error where it cannot be reached
 */
export async function loadStripeForm(publishableKey: string): Promise<Stripe> {
  allowScripts();
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe.js did not start');
  return stripe;
}

/**
 * Stripe's code loads more of itself by its address, which Trusted Types let pass by the policy of
 * the name `default`. Anything but a script of Stripe stays refused.
 */
function allowScripts(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  if (isAllowed || !trustedTypes) return;
  isAllowed = true;
  trustedTypes.createPolicy('default', {
    createScriptURL: (url) => {
      const { protocol, hostname } = new URL(url, location.origin);
      if (protocol === 'https:' && /^(.+\.)?js\.stripe\.com$/.test(hostname)) return url;
      throw new TypeError('Only scripts of Stripe may be added.');
    },
  });
}

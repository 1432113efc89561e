import type { Page } from 'playwright-core';
import type { StripeStandIn } from '#server/testing/stripe-stand-in.ts';

/** In the place of Stripe.js: a form with one field, which confirms at the address that Stripe's code uses. */
const program = `
window.Stripe = () => ({
  createToken() {}, createPaymentMethod() {}, confirmCardPayment() {},
  elements: ({ clientSecret }) => {
    const field = document.createElement('input');
    field.setAttribute('aria-label', 'Card number');
    const listeners = {};
    const element = {
      mount: (place) => { place.append(field); listeners.ready?.({}); },
      on: (name, listener) => { listeners[name] = listener; return element; },
      off: () => element, once: () => element,
      update() {}, unmount: () => field.remove(), destroy: () => field.remove(),
    };
    return { create: () => element, getElement: () => element, update() {}, clientSecret, field };
  },
  confirmPayment: async ({ elements: { clientSecret, field }, confirmParams }) => {
    const body = JSON.stringify({ clientSecret, card: field.value });
    const reply = await fetch('https://api.stripe.com/confirm', { method: 'POST', body });
    const { error, leaves } = await reply.json();
    if (!leaves) return error ? { error: { message: error } } : { paymentIntent: {} };
    location.assign(confirmParams.return_url + '?payment_intent=pi_1&redirect_status=' + leaves);
    return new Promise(() => {});
  },
});`;

/** Replaces Stripe.js in the page; payments are confirmed by the stand-in. */
export async function stubStripeJs(
  page: Page,
  stripe: StripeStandIn,
  leaves: (card: string) => 'succeeded' | 'failed' | null = () => null,
): Promise<void> {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: program }),
  );
  await page.route('https://api.stripe.com/**', (route) => {
    const { clientSecret, card } = route.request().postDataJSON();
    const json = { error: stripe.confirm(clientSecret, card), leaves: leaves(card) };
    return route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } });
  });
}

import type { FastifyReply } from 'fastify';

const header = 'content-security-policy';

/**
 * What Stripe's form needs in the page that shows it: its code and frames, its API, and Trusted
 * Types' default policy, by which its code loads more of itself. The page's own policy of that name
 * accepts scripts of Stripe only (web/billing/load-stripe.ts).
 */
const additions = {
  'script-src': 'https://js.stripe.com https://*.js.stripe.com',
  'connect-src': 'https://api.stripe.com',
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
};

/** Lets this page load Stripe's form. Other pages of the same server stay closed to it. */
export function letCardForm(reply: FastifyReply): void {
  let policy = String(reply.getHeader(header)).replace(
    "trusted-types 'none'",
    'trusted-types default',
  );
  for (const [directive, sources] of Object.entries(additions))
    policy = policy.replace(`${directive} 'self'`, `${directive} 'self' ${sources}`);
  reply.header(header, policy);
  // Some ways to pay open a window, which reports back.
  reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
}

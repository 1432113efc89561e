import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#server/http/route.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import { mostBytesOf } from '#server/platform/body-size.ts';
import type { Statement } from '#server/platform/database.ts';
import { tooManyWaiting } from '#server/platform/fair-queue.ts';
import { stripeSignature } from '#server/providers/billing/stripe/event.ts';

/** In bytes: Stripe's largest events describe invoices with many lines. */
const longestBody = 256_000;
/**
 * Requests of a network that Stripe has not signed. Anyone can send a header of its form, and a long body costs
 * milliseconds before it is known who has sent it: each so many bytes count as one.
 */
const unsigned = { burst: 600, perSecond: 10 };
const bytesOfOne = 4 * 1024;

const store: Statement = {
  name: 'store_billing_event',
  text: 'select store_billing_event($1, $2, $3, $4)',
};

/** Receives the card provider's webhooks: each is stored before it is answered, and processed later. */
export async function billingWebhook({ billing, config, database, http }: Site): Promise<void> {
  if (!billing) return;
  const refusals = new Allowance(unsigned, config.RATE_LIMIT_SCALE);
  const costOf = (request: FastifyRequest) => Math.max(1, mostBytesOf(request) / bytesOfOne);
  await http.register(async (raw) => {
    // The signature covers the exact bytes.
    raw.removeContentTypeParser('application/json');
    raw.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    const route = {
      schema: { hide: true },
      bodyLimit: longestBody,
      config: { rateLimit: { name: 'billing-webhook', most: 12_000, windowSeconds: 60 } },
      onRequest: placeBy((request) => {
        signatureOf(request);
        const key = networkKey(request.ip);
        const waitMs = refusals.debtMs(key);
        if (waitMs > 0) throw tooManyWaiting(Math.ceil(waitMs / 1000));
        refusals.spend(key, costOf(request));
        return key;
      }),
    };
    raw.post('/api/webhooks/stripe', route, async (request, reply) => {
      await holdPlace(request, async () => {
        const event = billing.readEvent(String(request.body), signatureOf(request));
        refusals.spend(networkKey(request.ip), -costOf(request));
        if (!event) return;
        const values = [event.id, event.type, event.customerId, event.occurredAt];
        await database.connection('outside', ({ run }) => run(store, values), { isProved: true });
      });
      return reply.code(200).send({ received: true });
    });
  });
}

/** @throws DomainError 400 */
function signatureOf({ headers }: FastifyRequest): string {
  const signature = headers['stripe-signature'];
  if (typeof signature === 'string' && stripeSignature.test(signature)) return signature;
  throw new DomainError('invalid', 'bad_signature', 'This webhook isn’t signed by Stripe.');
}

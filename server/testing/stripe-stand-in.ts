import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { answerStripe, type Reply, refusal } from './stripe-api.ts';
import { formOf } from './stripe-form.ts';
import {
  newStripeId,
  type StripeObject,
  StripeState,
  type Subscription,
  stripeNow,
} from './stripe-state.ts';

interface Asked {
  method: string;
  path: string;
  /** Of the body, or the query of a GET. */
  form: string;
}
export interface SentEvent {
  id: string;
  type: string;
  body: string;
}
/** Numbers of Stripe's test cards. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  asksForMore: '4000002500003155',
} as const;

/**
 * A stand-in for Stripe on this machine: the part of its API that Rapport uses, idempotency keys
 * included, with webhooks that are signed as Stripe signs them. What Stripe's frames do is in
 * `confirm`. It cannot show that the real service answers like this; that the requests are valid is
 * checked by Stripe's own stripe-mock where `validator` is set.
 */
export class StripeStandIn extends StripeState {
  readonly secretKey = `sk_test_${randomUUID()}`;
  readonly webhookSecret = `whsec_${randomUUID()}`;
  readonly asked: Asked[] = [];
  /** Every event, delivered or not, in the order in which they happened. */
  readonly events: SentEvent[] = [];
  /** Where events are delivered to at once; null keeps them. */
  target: string | null = null;
  /** Address of a stripe-mock, which every request must satisfy. */
  validator: string | null = null;
  /** What it said against requests. */
  readonly refused: string[] = [];
  /** Replies for the next requests instead of an answer: 'drop' closes the connection. */
  readonly next: (Reply | 'drop')[] = [];
  /** Requests wait for it, such as to overlap. */
  gate: Promise<unknown> = Promise.resolve();
  readonly #library = new Stripe(this.secretKey);
  readonly #kept = new Map<string, { form: string; reply: Promise<Reply> }>();
  readonly #server = createServer((request, response) => {
    this.#hear(request, response).catch((error) => response.destroy(error));
  });
  #deliveries: Promise<unknown>[] = [];
  url = '';

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    this.url = `http://127.0.0.1:${port}`;
    this.changed = (type, object) => this.#report(type, object);
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** The settings that make Rapport use this stand-in. */
  get settings() {
    return {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_rapport',
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_API_BASE: this.url,
    };
  }

  /** What the payment form does with a card. Returns Stripe's sentence where it fails. */
  confirm(clientSecret: string, card: string): string | null {
    const subscription = this.bySecret(clientSecret);
    if (card === cards.declined) return 'Your card was declined.';
    if (card === cards.asksForMore) return 'We are unable to authenticate your payment method.';
    this.pay(subscription);
    return null;
  }

  bySecret(clientSecret: string): Subscription {
    const all = [...this.subscriptions.values()];
    const found = all.find(({ secret }) => secret === clientSecret);
    if (!found) throw new Error('no open payment has this secret');
    return found;
  }

  /** Returns the header with which Stripe sends this body. */
  sign(body: string, { at = stripeNow(), secret = this.webhookSecret } = {}): string {
    return this.#library.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp: at,
    });
  }

  /** Resolves once all events so far were delivered. */
  async delivered(): Promise<void> {
    await Promise.all(this.#deliveries);
  }

  #report(type: string, object: StripeObject): void {
    const id = newStripeId('evt');
    const event = { id, object: 'event', type, created: stripeNow(), data: { object } };
    const sent = { id, type, body: JSON.stringify(event) };
    this.events.push(sent);
    if (this.target) this.#deliveries.push(this.#deliver(this.target, sent.body));
  }

  async #deliver(target: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': this.sign(body) };
    const { status } = await fetch(target, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`the webhook was answered ${status}`);
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url = '/' } = request;
    const { pathname: path, search } = new URL(url, this.url);
    let body = '';
    for await (const piece of request) body += piece;
    const form = method === 'GET' ? search.slice(1) : body;
    this.asked.push({ method, path, form });
    await this.gate;
    const planned = this.next.shift();
    if (planned === 'drop') return void response.destroy();
    const isKnown = headers.authorization === `Bearer ${this.secretKey}`;
    const reply = planned
      ? planned
      : isKnown
        ? await this.#onlyOnce({ method, path, form }, String(headers['idempotency-key'] ?? ''))
        : refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  }

  /** Requests of one idempotency key share their reply. */
  #onlyOnce(asked: Asked, key: string): Promise<Reply> {
    if (asked.method !== 'POST' || !key) return this.#answer(asked);
    const kept = this.#kept.get(key);
    const form = `${asked.path} ${asked.form}`;
    if (kept && kept.form !== form) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return Promise.resolve(refusal(400, { type: 'idempotency_error', message }));
    }
    const reply = kept?.reply ?? this.#answer(asked);
    this.#kept.set(key, { form, reply });
    return reply;
  }

  async #answer({ method, path, form }: Asked): Promise<Reply> {
    if (this.validator) {
      const query = method === 'GET' && form ? `?${form}` : '';
      const checked = await fetch(`${this.validator}${path}${query}`, {
        method,
        headers: {
          authorization: 'Bearer sk_test_123',
          'content-type': 'application/x-www-form-urlencoded',
        },
        ...(method === 'GET' ? {} : { body: form }),
      });
      if (!checked.ok) {
        const message = `stripe-mock refuses ${method} ${path}: ${await checked.text()}`;
        this.refused.push(message);
        return refusal(400, { type: 'invalid_request_error', message });
      }
    }
    return answerStripe(this, `${method} ${path}`, formOf(form));
  }
}

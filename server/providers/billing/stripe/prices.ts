import type Stripe from 'stripe';
import type { Offer } from '#domain/billing/contract.ts';
import { type BillingInterval, billingIntervals } from '#domain/billing/subscription.ts';
import { asking, isMissing, misconfigured } from './failure.ts';
import type { StripeSettings } from './settings.ts';

export type Price = Offer & { id: string };

const keptMs = 10 * 60_000;

/** Reads the prices of Professional, which change rarely, every ten minutes at most. */
export class Prices {
  readonly #stripe: Stripe;
  readonly #names: readonly string[];
  #read: { at: number; prices: Promise<Price[]> } | null = null;

  constructor(stripe: Stripe, settings: StripeSettings) {
    this.#stripe = stripe;
    this.#names = [settings.STRIPE_PROFESSIONAL_PRICE, settings.STRIPE_PROFESSIONAL_YEARLY_PRICE];
  }

  list(): Promise<Price[]> {
    const now = Date.now();
    if (this.#read && now - this.#read.at < keptMs) return this.#read.prices;
    const prices = this.#fetch();
    this.#read = { at: now, prices };
    prices.catch(() => {
      this.#read = null;
    });
    return prices;
  }

  async of(interval: BillingInterval): Promise<Price> {
    const price = (await this.list()).find((each) => each.interval === interval);
    if (!price) throw misconfigured(`Stripe has no price for a ${interval}: ${this.#names}`);
    return price;
  }

  async #fetch(): Promise<Price[]> {
    const found = await asking(() => Promise.all(this.#names.map((name) => this.#find(name))));
    return found.flatMap((price) => price ?? []);
  }

  async #find(name: string): Promise<Price | null> {
    const price = name.startsWith('price_')
      ? await this.#stripe.prices.retrieve(name).catch(ifMissing)
      : (await this.#stripe.prices.list({ lookup_keys: [name], active: true, limit: 1 })).data[0];
    const interval = billingIntervals.find((known) => known === price?.recurring?.interval);
    if (!price || !interval || price.unit_amount === null) return null;
    return { id: price.id, interval, amount: price.unit_amount, currency: price.currency };
  }
}

function ifMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

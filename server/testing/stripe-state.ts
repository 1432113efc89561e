import { randomBytes } from 'node:crypto';

/** What a request of the API may contain: forms with brackets, so all values are text. */
export type Form = { [key: string]: string | Form };

export interface StripeObject {
  id: string;
  object: string;
  [field: string]: unknown;
}
interface Customer extends StripeObject {
  deleted?: true;
}
export interface Subscription extends StripeObject {
  customer: string;
  status: string;
  created: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  items: { data: { id: string; current_period_end: number; price: Price }[] };
  /** Its invoice's secret, as long as a payment is open. */
  secret: string | null;
  /** The card is declined at the next charge. */
  declines?: true;
}
export interface Price extends StripeObject {
  lookup_key: string;
  currency: string;
  unit_amount: number;
  recurring: { interval: 'month' | 'year' };
}

export const newStripeId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;
export const stripeNow = () => Math.floor(Date.now() / 1000);

const month = 30 * 86_400;
const price = (interval: 'month' | 'year', unit_amount: number): Price => ({
  id: newStripeId('price'),
  object: 'price',
  lookup_key: `professional_${interval}ly`,
  currency: 'usd',
  unit_amount,
  recurring: { interval },
});

/** The objects of an account at Stripe. */
export class StripeState {
  readonly customers = new Map<string, Customer>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices: (StripeObject & { customer: string })[] = [];
  prices = [price('month', 4900), price('year', 49_000)];
  /** Called after each change that Stripe reports. */
  changed: (type: string, object: StripeObject) => void = () => {};

  createCustomer(form: Form): Customer {
    const customer = { id: newStripeId('cus'), object: 'customer', ...form };
    this.customers.set(customer.id, customer);
    this.changed('customer.created', customer);
    return customer;
  }

  /** Ends the customer's subscriptions, as Stripe does. */
  deleteCustomer(customer: Customer): Customer {
    customer.deleted = true;
    for (const one of this.of(customer.id)) this.setStatus(one, 'canceled');
    this.changed('customer.deleted', customer);
    return customer;
  }

  of = (customer: string) =>
    [...this.subscriptions.values()].filter((each) => each.customer === customer);

  subscribe(customer: string, priceId: string): Subscription {
    const chosen = this.#price(priceId);
    const subscription: Subscription = {
      id: newStripeId('sub'),
      object: 'subscription',
      customer,
      status: 'incomplete',
      created: stripeNow(),
      cancel_at: null,
      cancel_at_period_end: false,
      items: {
        data: [{ id: newStripeId('si'), current_period_end: stripeNow() + month, price: chosen }],
      },
      secret: `${newStripeId('pi')}_secret_${newStripeId('x')}`,
    };
    this.subscriptions.set(subscription.id, subscription);
    this.changed('customer.subscription.created', subscription);
    return subscription;
  }

  /** Pays the open invoice. */
  pay(subscription: Subscription): void {
    const { unit_amount: total = 0, currency } = subscription.items.data[0]?.price ?? {};
    const number = `RPT-${String(this.invoices.length + 1).padStart(4, '0')}`;
    const invoice = {
      ...{ id: newStripeId('in'), object: 'invoice', customer: subscription.customer, number },
      ...{ created: stripeNow(), status: 'paid', total, currency },
      hosted_invoice_url: `https://invoice.stripe.com/i/${number}`,
      invoice_pdf: `https://pay.stripe.com/invoice/${number}/pdf`,
    };
    this.invoices.unshift(invoice);
    subscription.secret = null;
    this.setStatus(subscription, 'active');
    this.changed('invoice.paid', invoice);
  }

  setStatus(subscription: Subscription, status: string): void {
    subscription.status = status;
    this.changed(
      status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
      subscription,
    );
  }

  changePrice(subscription: Subscription, priceId: string): void {
    for (const item of subscription.items.data) item.price = this.#price(priceId);
    this.changed('customer.subscription.updated', subscription);
  }

  #price(id: string): Price {
    const found = this.prices.find((each) => each.id === id);
    if (!found) throw new Error(`there is no price ${id}`);
    return found;
  }
}

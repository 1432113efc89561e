import { textAt } from './stripe-form.ts';
import {
  type Form,
  newStripeId,
  type StripeObject,
  type StripeState,
  type Subscription,
} from './stripe-state.ts';

export interface Reply {
  status: number;
  body: unknown;
}

export const refusal = (
  status: number,
  error: { type: string; message: string; code?: string },
): Reply => ({ status, body: { error } });
const missing = (what: string) =>
  refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}`,
  });
const done = (body: unknown): Reply => ({ status: 200, body });
const list = (data: unknown[]) => done({ object: 'list', data, has_more: false });

/** Returns the answer of the API to one request. */
export function answerStripe(state: StripeState, request: string, form: Form): Reply {
  const [called = '', id = ''] = routeOf(request);
  const customer = state.customers.get(textAt(form, 'customer'));
  switch (called) {
    case 'POST customers':
      return done(state.createCustomer(form));
    case 'GET customers/:id': {
      const found = state.customers.get(id);
      return found ? done(found) : missing('customer');
    }
    case 'DELETE customers/:id': {
      const found = state.customers.get(id);
      return found && !found.deleted ? done(state.deleteCustomer(found)) : missing('customer');
    }
    case 'GET subscriptions':
      return customer ? list(state.of(customer.id).map(shown)) : missing('customer');
    case 'POST subscriptions':
      if (!customer || customer.deleted) return missing('customer');
      return done(shown(state.subscribe(customer.id, textAt(form, 'items.0.price'))));
    case 'POST subscriptions/:id':
      return change(state, state.subscriptions.get(id), form);
    case 'POST billing_portal/sessions':
      return done({ url: `https://billing.stripe.com/p/session/${newStripeId('x')}` });
    case 'GET invoices':
      return list(state.invoices.filter((one) => one.customer === customer?.id));
    case 'POST invoices/create_preview':
      return done(preview(state, form));
    case 'GET prices': {
      const key = textAt(form, 'lookup_keys.0');
      return list(state.prices.filter(({ lookup_key }) => lookup_key === key));
    }
    default:
      return missing(called);
  }
}

/** Names the route of a request, with the id apart. */
function routeOf(request: string): string[] {
  const [method, path = ''] = request.split(' /v1/');
  const [noun, id, ...rest] = path.split('/');
  if (!id || !/^\w+_[0-9a-f]{16}$/.test(id)) return [`${method} ${path}`];
  return [[`${method} ${noun}/:id`, ...rest].join('/'), id];
}

const shown = ({ secret, ...subscription }: Subscription): StripeObject => ({
  ...subscription,
  latest_invoice: { object: 'invoice', confirmation_secret: secret && { client_secret: secret } },
});

function change(state: StripeState, found: Subscription | undefined, form: Form): Reply {
  if (!found) return missing('subscription');
  if (found.declines) {
    return refusal(402, { type: 'card_error', message: 'Your card was declined.' });
  }
  state.changePrice(found, textAt(form, 'items.0.price'));
  return done(shown(found));
}

/** The new price, less what is left of the old one: all of it, since no time has passed. */
function preview(state: StripeState, form: Form) {
  const wanted = textAt(form, 'subscription_details.items.0.price');
  const next = state.prices.find(({ id }) => id === wanted);
  const now = state.subscriptions.get(textAt(form, 'subscription'))?.items.data[0]?.price;
  const [added, credit] = [next?.unit_amount ?? 0, -(now?.unit_amount ?? 0)];
  return {
    amount_due: Math.max(0, added + credit),
    currency: 'usd',
    lines: {
      data: [
        { description: 'Unused time on Professional', amount: credit },
        { description: '1 × Professional', amount: added },
      ],
    },
  };
}

import Stripe from 'stripe';
import { type Invoice, invoiceStatuses } from '#domain/billing/contract.ts';
import type { BillingInterval } from '#domain/billing/subscription.ts';
import { DomainError } from '#domain/errors.ts';
import type { BillingProvider } from '#server/providers/billing/port.ts';
import { readStripeEvent } from './event.ts';
import { asking, isKeptForKey, isMissing } from './failure.ts';
import { Prices } from './prices.ts';
import type { StripeSettings } from './settings.ts';
import { chooseSubscription, describeSubscription, withSecret } from './subscription.ts';

type Configured = StripeSettings &
  Record<'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY' | 'STRIPE_WEBHOOK_SECRET', string>;

/** Most that a customer ever had: one that ended is followed by the next. */
const mostSubscriptions = 100;
const mostInvoices = 24;

/** Card payments by Stripe Billing. Cards are entered in Stripe's own frames and pages only. */
export function stripeBilling(settings: Configured): BillingProvider {
  const stripe = new Stripe(settings.STRIPE_SECRET_KEY, clientOptions(settings.STRIPE_API_BASE));
  const prices = new Prices(stripe, settings);

  const findRaw = async (customer: string) => {
    const { data } = await stripe.subscriptions.list({
      customer,
      status: 'all',
      limit: mostSubscriptions,
      expand: [`data.${withSecret}`],
    });
    return chooseSubscription(data);
  };
  /** The items of the subscription after the change. */
  const changed = async (customer: string, interval: BillingInterval) => {
    const subscription = await findRaw(customer);
    const item = subscription?.items.data[0];
    if (!subscription || !item || !/^(active|trialing)$/.test(subscription.status)) {
      throw new DomainError(
        'conflict',
        'not_subscribed',
        'You have no paid subscription to change. Upgrade first.',
      );
    }
    const price = await prices.of(interval);
    return { subscription: subscription.id, items: [{ id: item.id, price: price.id }] };
  };

  return {
    name: 'stripe',
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
    createCustomer: ({ orgId, name, email }, requestKey) =>
      asking(async () => {
        const customer = { name, email, metadata: { rapport_organization: orgId } };
        const created = await once(requestKey, (idempotencyKey) =>
          stripe.customers.create(customer, { idempotencyKey }),
        );
        return created.id;
      }),
    findSubscription: (customerId) =>
      asking(async () => {
        try {
          const found = await findRaw(customerId);
          if (found) return describeSubscription(found);
          const customer = await stripe.customers.retrieve(customerId);
          return customer.deleted ? 'no-customer' : null;
        } catch (error) {
          if (isMissing(error)) return 'no-customer';
          throw error;
        }
      }),
    createSubscription: async (customerId, requestKey) => {
      const price = await prices.of('month');
      return asking(async () => {
        const created = await once(`${requestKey}:${price.id}`, (idempotencyKey) =>
          stripe.subscriptions.create(
            {
              customer: customerId,
              items: [{ price: price.id }],
              payment_behavior: 'default_incomplete',
              payment_settings: { save_default_payment_method: 'on_subscription' },
              expand: [withSecret],
            },
            { idempotencyKey },
          ),
        );
        return describeSubscription(created);
      });
    },
    deleteCustomer: (customerId) =>
      asking(async () => {
        await stripe.customers.del(customerId).catch((error) => {
          if (!isMissing(error)) throw error;
        });
      }),
    openPortal: (customer, return_url) =>
      asking(async () => {
        const { url } = await stripe.billingPortal.sessions.create({ customer, return_url });
        return url;
      }),
    listInvoices: (customer) =>
      asking(async () => {
        const { data } = await stripe.invoices.list({ customer, limit: mostInvoices });
        return data.flatMap(describeInvoice);
      }),
    listOffers: async () =>
      (await prices.list()).map(({ interval, amount, currency }) => ({
        interval,
        amount,
        currency,
      })),
    previewChange: (customer, interval, prorationAt) =>
      asking(async () => {
        const { subscription, items } = await changed(customer, interval);
        const invoice = await stripe.invoices.createPreview({
          customer,
          subscription,
          subscription_details: {
            items,
            proration_behavior: 'always_invoice',
            proration_date: prorationAt,
          },
        });
        return {
          amount: invoice.amount_due,
          currency: invoice.currency,
          lines: invoice.lines.data.map(({ description, amount }) => ({
            text: description ?? '',
            amount,
          })),
          prorationAt,
        };
      }),
    change: (customer, interval, prorationAt) =>
      asking(async () => {
        const { subscription, items } = await changed(customer, interval);
        await stripe.subscriptions.update(subscription, {
          items,
          proration_behavior: 'always_invoice',
          proration_date: prorationAt,
          payment_behavior: 'error_if_incomplete',
        });
      }),
    readEvent: (body, signature) =>
      readStripeEvent(stripe, settings.STRIPE_WEBHOOK_SECRET, { body, signature }),
  };
}

function clientOptions(base: string): Stripe.StripeConfig {
  const { protocol, hostname, port } = new URL(base);
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: 20_000,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Rapport' },
  };
}

/** Repeats a request under another key if Stripe would answer this one the same way for a day. */
async function once<T>(key: string, request: (key: string) => Promise<T>): Promise<T> {
  try {
    return await request(key);
  } catch (error) {
    if (!isKeptForKey(error)) throw error;
    return request(`${key}:2`);
  }
}

function describeInvoice(invoice: Stripe.Invoice): Invoice[] {
  const { id, number, created, total, currency } = invoice;
  const status = invoiceStatuses.find((shown) => shown === invoice.status);
  if (!id || !status) return [];
  return [
    {
      id,
      number,
      createdAt: new Date(created * 1000).toISOString(),
      status,
      amount: total,
      currency,
      pageUrl: invoice.hosted_invoice_url ?? null,
      pdfUrl: invoice.invoice_pdf ?? null,
    },
  ];
}

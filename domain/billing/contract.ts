import { z } from 'zod';
import { features } from '#domain/billing/entitlements.ts';
import { contract } from '#domain/contract.ts';
import { plans } from '#domain/organizations/contract.ts';
import { billingIntervals, subscriptionStatuses } from './subscription.ts';

/** The card provider's latest word on the subscription. */
const subscription = z.object({
  status: z.enum(subscriptionStatuses),
  interval: z.enum(billingIntervals),
  periodEndsAt: z.iso.datetime().nullable(),
  /** Null unless the subscription was canceled. */
  cancelsAt: z.iso.datetime().nullable(),
});

export const billing = z.object({
  /** The payment provider; null without one: then all features are on and no limit applies. */
  provider: z.enum(['stripe']).nullable(),
  /** Identifies the installation to the card provider's code in the page; null without a provider. */
  publishableKey: z.string().nullable(),
  plan: z.enum(plans),
  subscription: subscription.nullable(),
  status: z.enum(['free', 'active']),
  features: z.array(z.enum(features)),
  usage: z.object({
    /** Calls that began in this calendar month (UTC). */
    callsThisMonth: z.int(),
    /** The limit that applies; null without one. */
    callsPerMonth: z.int().nullable(),
    callsLeft: z.int().nullable(),
  }),
  trial: z.object({ endsAt: z.iso.datetime(), daysLeft: z.int(), callsLeft: z.int() }).nullable(),
});
export type Billing = z.infer<typeof billing>;

export const readBilling = contract({
  method: 'GET',
  path: '/api/billing',
  summary: 'Plan, status, usage and trial of your organization',
  permission: 'billing.read',
  output: { 200: billing },
});

/** Only `clientSecret` until the first payment succeeds, `subscriptionId` from then on. */
export const getOrCreateSubscription = contract({
  method: 'POST',
  path: '/api/get-or-create-subscription',
  summary: 'Your subscription, or what the payment form confirms its first payment with',
  permission: 'billing.manage',
  output: {
    200: z.object({
      clientSecret: z.string().optional(),
      subscriptionId: z.string().optional(),
    }),
  },
  errors: [409, 429],
});

/** In the currency's smallest unit, such as cents. */
const money = z.object({ amount: z.int(), currency: z.string() });
const offer = money.extend({ interval: z.enum(billingIntervals) });
export type Offer = z.infer<typeof offer>;

/** Drafts are not shown. */
export const invoiceStatuses = ['open', 'paid', 'uncollectible', 'void'] as const;
const invoice = money.extend({
  id: z.string(),
  number: z.string().nullable(),
  createdAt: z.iso.datetime(),
  status: z.enum(invoiceStatuses),
  /** Pages of the card provider. */
  pageUrl: z.url({ protocol: /^https$/ }).nullable(),
  pdfUrl: z.url({ protocol: /^https$/ }).nullable(),
});
export type Invoice = z.infer<typeof invoice>;

export const readBillingDetails = contract({
  method: 'GET',
  path: '/api/billing/details',
  summary: 'What Professional costs, and the newest invoices of your organization',
  permission: 'billing.manage',
  output: { 200: z.object({ offers: z.array(offer), invoices: z.array(invoice) }) },
  errors: [429],
});

export const openPortal = contract({
  method: 'POST',
  path: '/api/billing/portal',
  summary: 'The card provider’s page for cards, invoices and cancellation',
  permission: 'billing.manage',
  output: { 200: z.object({ url: z.url({ protocol: /^https?$/ }) }) },
  errors: [409, 429],
});

const planChange = z.object({
  interval: z.enum(billingIntervals, { error: 'Please choose monthly or yearly billing' }),
});

/** What a change would cost now, for the same `prorationAt`. Changes nothing. */
export const previewPlanChange = contract({
  method: 'POST',
  path: '/api/billing/plan-change/preview',
  summary: 'What monthly or yearly billing would cost from now on, with the proration',
  permission: 'billing.manage',
  body: planChange,
  output: {
    200: money.extend({
      /** Credits are negative. */
      lines: z.array(z.object({ text: z.string(), amount: z.int() })),
      prorationAt: z.int(),
    }),
  },
  errors: [409, 429],
});
export type PlanChangePreview = z.infer<(typeof previewPlanChange)['output'][200]>;

export const changePlan = contract({
  method: 'POST',
  path: '/api/billing/plan-change',
  summary: 'Change to monthly or yearly billing, at the price of the preview',
  permission: 'billing.manage',
  body: planChange.extend({
    /** As in the preview, in seconds since 1970. */
    prorationAt: z.int().positive().max(10_000_000_000),
  }),
  output: { 200: z.object({ interval: z.enum(billingIntervals) }) },
  errors: [402, 409, 429],
});

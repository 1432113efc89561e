import { z } from 'zod';
import { features } from '#domain/billing/entitlements.ts';
import { contract } from '#domain/contract.ts';
import { plans } from '#domain/organizations/contract.ts';

export const billing = z.object({
  /** The payment provider; null without one: then all features are on and no limit applies. */
  provider: z.enum(['stripe']).nullable(),
  plan: z.enum(plans),
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
  errors: [409],
});

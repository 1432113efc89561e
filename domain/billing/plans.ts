import type { Organization } from '#domain/organizations/contract.ts';

export type PlanId = Organization['plan'];

export interface Plan {
  id: PlanId;
  name: string;
  priceDollarsPerMonth: number;
  mostPopular: boolean;
  /** Not sold by card: customers contact the sales team. */
  contactSales: boolean;
  /** The contents in the spec's words. Pages capitalize the first letter, and translate by `id`. */
  contents: readonly { id: string; text: string }[];
}

/** Spec section 9, in display order. */
export const planList = [
  {
    id: 'starter',
    name: 'Starter',
    priceDollarsPerMonth: 0,
    mostPopular: false,
    contactSales: false,
    contents: [
      { id: 'fiveCalls', text: 'up to 5 video calls/month' },
      { id: 'basicPlaybooks', text: 'basic playbooks' },
      { id: 'standardSupport', text: 'standard support' },
      { id: 'callRecordings', text: 'call recordings' },
    ],
  },
  {
    id: 'professional',
    name: 'Professional',
    priceDollarsPerMonth: 49,
    mostPopular: true,
    contactSales: false,
    contents: [
      { id: 'unlimitedCalls', text: 'unlimited calls' },
      { id: 'aiPlaybooks', text: 'advanced AI playbooks' },
      { id: 'fullAnalytics', text: 'full analytics' },
      { id: 'prioritySupport', text: 'priority support' },
      { id: 'crmIntegrations', text: 'CRM integrations' },
      { id: 'npsTracking', text: 'NPS tracking' },
    ],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    priceDollarsPerMonth: 199,
    mostPopular: false,
    contactSales: true,
    contents: [
      { id: 'everythingInProfessional', text: 'everything in Professional' },
      { id: 'customCrmIntegrations', text: 'custom CRM integrations' },
      { id: 'whiteLabelBranding', text: 'white-label branding' },
      { id: 'successManager', text: 'dedicated success manager' },
      { id: 'scimSso', text: 'SCIM/SSO' },
      { id: 'customOnboarding', text: 'custom onboarding' },
    ],
  },
] as const satisfies readonly Plan[];

/** The free trial of a new organization: without a card, with Professional's features (spec section 1). */
export const trial = { days: 14, videoCalls: 10 } as const;

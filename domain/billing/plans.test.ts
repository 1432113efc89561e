import { expect, test } from 'vitest';
import { plans } from '#domain/organizations/contract.ts';
import { planList, trial } from './plans.ts';

/** Spec section 9, verbatim. */
const table = `
| Starter | $0/month | up to 5 video calls/month, basic playbooks, standard support, call recordings |
| Professional (Most Popular) | $49/month | unlimited calls, advanced AI playbooks, full analytics, priority support, CRM integrations, NPS tracking |
| Enterprise | $199/month, contact sales | everything in Professional, custom CRM integrations, white-label branding, dedicated success manager, SCIM/SSO, custom onboarding |
`;

test('the three plans have the names, prices and contents of the spec', () => {
  const rows = planList.map(
    ({ name, mostPopular, priceDollarsPerMonth, contactSales, contents }) =>
      `| ${name}${mostPopular ? ' (Most Popular)' : ''} | $${priceDollarsPerMonth}/month${contactSales ? ', contact sales' : ''} | ${contents.map(({ text }) => text).join(', ')} |`,
  );
  expect(`\n${rows.join('\n')}\n`).toBe(table);
});

test('they are the plans that an organization can have', () => {
  expect(planList.map(({ id }) => id)).toEqual(plans);
});

test('the free trial is 14 days with up to 10 video calls', () => {
  expect(trial).toEqual({ days: 14, videoCalls: 10 });
});

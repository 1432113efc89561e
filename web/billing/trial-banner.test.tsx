// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Billing } from '#domain/billing/contract.ts';
import TrialBanner from '#web/billing/trial-banner.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';

const started: Billing = {
  provider: 'stripe',
  publishableKey: 'pk_test_1',
  subscription: null,
  plan: 'starter',
  status: 'free',
  features: [],
  usage: { callsThisMonth: 3, callsPerMonth: 5, callsLeft: 7 },
  trial: { endsAt: '2026-03-15T00:00:00Z', daysLeft: 1, callsLeft: 7 },
};
const over = { endsAt: '2026-03-15T00:00:00Z', daysLeft: 0, callsLeft: 7 };

function open(changed: Partial<Billing>, role: 'ORGADMIN' | 'AGENT' = 'ORGADMIN') {
  fakeServer({ 'GET /api/billing': { ...started, ...changed } });
  show(<TrialBanner />, { path: '/app', user: { ...ada, role } });
}

test('the banner counts down the trial, and leads admins to the payment form', async () => {
  open({});
  expect(await screen.findByText('Free trial: 1 day left, 7 calls left')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Upgrade' });
  expect(link.getAttribute('href')).toBe('/app/settings/billing?pay');
});

test('after the trial it says when this month’s calls are used up, and to others without a link', async () => {
  open({ trial: over, usage: { callsThisMonth: 5, callsPerMonth: 5, callsLeft: 0 } }, 'AGENT');
  expect(await screen.findByText('You’ve used all 5 calls of Starter this month.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Upgrade' })).toBe(null);
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import type { Billing } from '#domain/billing/contract.ts';
import { features } from '#domain/billing/entitlements.ts';
import { planList } from '#domain/billing/plans.ts';
import { BillingPage } from '#web/billing/billing-page.tsx';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, toastLook } from '#web/testing/show.tsx';
import { catalog } from '#web/texts/en/app.ts';

const billing = (changed: Partial<Billing> = {}): Billing => ({
  provider: null,
  publishableKey: null,
  subscription: null,
  plan: 'starter',
  status: 'free',
  features: [...features],
  usage: { callsThisMonth: 3, callsPerMonth: null, callsLeft: null },
  trial: { endsAt: '2026-03-15T00:00:00Z', daysLeft: 12, callsLeft: 7 },
  ...changed,
});

function open(answer: object = billing(), role: Role = 'ORGADMIN') {
  const asked = fakeServer({ 'GET /api/billing': answer });
  const path = '/app/settings/billing';
  return { asked, ...show(<BillingPage />, { path, user: { ...ada, role } }) };
}
const account = async () =>
  (await screen.findByRole('heading', { name: 'Account status' })).closest('section')?.textContent;
const cards = async () =>
  within(await screen.findByRole('region', { name: 'Plans' }))
    .getAllByRole('heading')
    .map((heading) => heading.closest('section'));

test('three plan cards with the spec’s names, prices and contents, the current one marked', async () => {
  open();
  const texts = (await cards()).map((card) => card?.textContent ?? '');
  expect(texts.map((text) => text.match(/\$\d+\/month/)?.[0])).toEqual([
    '$0/month',
    '$49/month',
    '$199/month',
  ]);
  expect(texts[0]).toMatch(/^StarterCurrent plan/);
  expect(texts[1]).toMatch(/^ProfessionalMost Popular/);
  expect(texts[2]).toMatch(/^Enterprise/);
  for (const [at, plan] of planList.entries())
    for (const { text } of plan.contents)
      expect(texts[at]?.toLowerCase()).toContain(text.toLowerCase());
});

test('the page’s English texts are those of the plans', () => {
  const shown = catalog.billing.contents;
  const promised = planList.flatMap((plan) => plan.contents.map(({ id, text }) => [id, text]));
  expect(Object.entries(shown).map(([id, text]) => [id, text.toLowerCase()])).toEqual(
    promised.map(([id, text]) => [id, text?.toLowerCase()]),
  );
});

test('Enterprise has a link to sales at /contact', async () => {
  open();
  const link = await screen.findByRole('link', { name: 'Contact sales' });
  expect(link.getAttribute('href')).toBe('/contact');
});

test('Starter / Free Plan shows calls this month, and the rest of the trial', async () => {
  open(billing({ provider: 'stripe' }));
  expect(await account()).toContain('Current planStarterFree Plan');
  // Not "(unlimited)": the trial has a limit of its own.
  expect(await account()).toContain('Calls this month3Free trial12 days left, 7 calls left');
});

test('without a card provider the page shows plan and usage, and no trial', async () => {
  open();
  expect(await account()).toContain('Current planStarterFree Plan');
  expect(screen.getByText('3 (unlimited)')).toBeTruthy();
  expect(screen.queryByText('Free trial')).toBe(null);
});

test('Professional / Active shows no trial', async () => {
  open(billing({ provider: 'stripe', plan: 'professional', status: 'active', trial: null }));
  expect(await account()).toContain('Current planProfessionalActive');
  expect(screen.queryByText('Free trial')).toBe(null);
  expect((await cards())[1]?.textContent).toMatch(/^ProfessionalMost PopularCurrent plan/);
});

test('a trial whose days or calls are used up is over, and a limit is shown', async () => {
  const usage = { callsThisMonth: 4, callsPerMonth: 5, callsLeft: 1 };
  open(
    billing({
      provider: 'stripe',
      usage,
      trial: { endsAt: '2026-03-15T00:00:00Z', daysLeft: 9, callsLeft: 0 },
    }),
  );
  expect(await screen.findByText('Ended')).toBeTruthy();
  expect(screen.getByText('4 of 5')).toBeTruthy();
});

test('without a card provider the page says that billing is not set up and all features are on', async () => {
  const { asked } = open();
  expect(await screen.findByText('Billing isn’t set up')).toBeTruthy();
  expect(screen.getByText('All features are included, with no limits.')).toBeTruthy();
  expect(screen.queryByText(/npm run admin|installation/)).toBe(null);
  expect(screen.queryByText('Billing Error')).toBe(null);
  expect(asked.map(({ path }) => path)).toEqual(['/api/billing']);
});

test.each(['AGENT', 'VIEWER'] as const)(
  '%s can read the page, which says who can change the plan',
  async (role) => {
    open(billing(), role);
    expect(await screen.findByText(/Only admins can change the plan/)).toBeTruthy();
    expect((await cards()).length).toBe(3);
  },
);

const sold = (changed: Partial<Billing> = {}) =>
  billing({ provider: 'stripe', publishableKey: 'pk_test_1', ...changed });
const subscription = (status: NonNullable<Billing['subscription']>['status']) => ({
  status,
  interval: 'month' as const,
  periodEndsAt: '2026-04-15T00:00:00Z',
  cancelsAt: null,
});

test.each([
  ['past_due', 'Past due', /Your last payment failed/],
  ['unpaid', 'Unpaid', /An invoice is unpaid/],
  ['canceled', 'Canceled', /Your subscription was canceled/],
  ['incomplete', 'Incomplete', /Your payment isn’t complete yet/],
] as const)('a subscription that is %s says so, and what to do', async (status, badge, text) => {
  open(sold({ subscription: subscription(status) }));
  expect(await screen.findByText(badge)).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Manage billing' })).toBeTruthy();
});

test('a subscription that was canceled for its end names the day until which Professional lasts', async () => {
  const canceled = { ...subscription('active'), cancelsAt: '2026-04-15T12:00:00Z' };
  open(sold({ plan: 'professional', status: 'active', trial: null, subscription: canceled }));
  expect(await screen.findByText(/ends on April 15, 2026/)).toBeTruthy();
});

test('only admins see what can be bought and managed', async () => {
  open(sold({ subscription: subscription('past_due') }), 'AGENT');
  await cards();
  expect(screen.queryByRole('link', { name: 'Upgrade to Professional' })).toBe(null);
  expect(screen.queryByRole('button', { name: 'Manage billing' })).toBe(null);
});

test('a load failure: Billing Error / Unable to load billing information. Please try again later.', async () => {
  const { by } = open(refusal(500));
  expect((await screen.findAllByText('Billing Error')).length).toBe(2);
  expect(toastLook('Billing Error')).toBe('destructive');
  expect(
    screen.getAllByText('Unable to load billing information. Please try again later.').length,
  ).toBe(2);
  fakeServer({ 'GET /api/billing': billing() });
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Free Plan')).toBeTruthy();
});

test('signed out: Unauthorized / Please log in to access billing., and the sign-in page', async () => {
  fakeServer({});
  show(<AppRoutes />, { path: '/app/settings/billing', user: null });
  expect(await screen.findByText('Please log in to access billing.')).toBeTruthy();
  expect(toastLook('Unauthorized')).toBe('destructive');
  expect(screen.getByTestId('address').textContent).toBe(
    `/auth?next=${encodeURIComponent('/app/settings/billing')}`,
  );
});

test('R16-10: a page that may not show the card form is reloaded once, and then says so', async () => {
  sessionStorage.clear();
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  fakeServer({ 'GET /api/billing': sold() });
  const page = { path: '/app/settings/billing?pay', user: { ...ada, role: 'ORGADMIN' as const } };
  const { unmount } = show(<BillingPage />, page);
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  unmount();
  show(<BillingPage />, page);
  expect(await screen.findByText('Billing Error')).toBeTruthy();
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

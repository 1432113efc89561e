// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { roomId } from '#domain/ids.ts';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someRoom } from '#web/testing/some.ts';
import { takeCarriedToast, toast } from '#web/ui/toast-store.ts';

const figures = {
  totalCalls: 12,
  avgDuration: 8.5,
  averagedCalls: 3,
  checklistItems: 8,
  checklistCompletion: 75,
  avgNpsScore: null,
  changes: { totalCalls: '+12%', avgDuration: '-3%', checklistCompletion: null, avgNpsScore: null },
  nps: { promoters: 0, passives: 0, detractors: 0, score: null },
  trends: [],
};
const server = () =>
  fakeServer({
    'GET /api/analytics': figures,
    'GET /api/calls': [],
    'GET /api/rooms': [1, 2, 3, 4].map((at) =>
      someRoom({ id: roomId.parse(someId(40 + at)), topic: `Room ${at}` }),
    ),
    'GET /api/playbooks': [],
    [`GET /api/organizations/${someId(2)}`]: {
      id: someId(2),
      name: 'Analytical Engines',
      brandColor: '#facc15',
      plan: 'starter',
      logoUrl: null,
    },
  });
const address = () => screen.getByTestId('address').textContent;
const loaded = { timeout: 5000 };

test.each([
  ['/dashboard', '/app/dashboard', 'Dashboard'],
  ['/rooms?x=1', '/app/rooms?x=1', 'Rooms'],
  ['/playbooks', '/app/playbooks', 'Playbooks'],
  ['/analytics', '/app/analytics', 'Analytics'],
  ['/settings', '/app/settings', 'Settings'],
])('%s leads to %s', async (path, to, title) => {
  server();
  show(<AppRoutes />, { path });
  expect(await screen.findByRole('heading', { name: title, level: 1 }, loaded)).toBeTruthy();
  await waitFor(() => expect(address()).toBe(to));
});

test('an unknown path shows a 404 page', async () => {
  show(<AppRoutes />, { path: '/nowhere', user: null });
  expect(screen.getByRole('heading').textContent).toBe('404 Page Not Found');
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeTruthy();
});

test.each(['/', '/features', '/about', '/contact', '/signup', '/docs/api'])(
  '%s is the server’s: the app is left for it, and it shows the last toast',
  async (path) => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    toast({ title: 'Welcome back!' });
    show(<AppRoutes />, { path });
    await waitFor(() => expect(replace).toHaveBeenCalledOnce());
    expect(takeCarriedToast()).toMatchObject({ title: 'Welcome back!' });
  },
);

test('the dashboard shows the figures, three active rooms at most, and the quick actions', async () => {
  server();
  show(<AppRoutes />, { path: '/app' });
  expect(await screen.findByText('12', {}, loaded)).toBeTruthy();
  for (const text of ['8.5 min', '75%', '-', '+12% vs last month', '-3% vs last month'])
    expect(screen.getByText(text), text).toBeTruthy();
  expect(await screen.findByText('No calls recorded yet')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: /^Join Room/ }).length).toBe(3);
  expect(screen.getByRole('button', { name: 'Create Room' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'New Playbook' })).toBeTruthy();
  const reports = screen.getByRole('link', { name: 'View Reports' });
  expect(reports.getAttribute('href')).toBe('/app/analytics');
});

test('the sidebar shows the current page, the person, and the organization’s color', async () => {
  server();
  show(<AppRoutes />, { path: '/app', user: { ...ada, role: 'ORGADMIN' } });
  expect((await screen.findAllByText('Analytical Engines')).length).toBe(2);
  const nav = within(screen.getByRole('navigation'));
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Dashboard');
  expect(screen.getByText('Starter Plan')).toBeTruthy();
  expect(screen.getByText('Ada Lovelace')).toBeTruthy();
  expect(screen.getByText('org Admin')).toBeTruthy();
  const { style } = document.documentElement;
  expect(style.getPropertyValue('--brand')).toBe('#facc15');
  expect(style.getPropertyValue('--brand-text')).toBe('#000000');
});

test('logging out asks the server and goes to /', async () => {
  const asked = fakeServer({ 'POST /api/logout': null });
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const { by } = show(<AppRoutes />, { path: '/app' });
  await by.click(screen.getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
  expect(asked).toContainEqual({ method: 'POST', path: '/api/logout', body: undefined });
});

const failed = {
  title: 'Logout failed',
  description: 'Logout failed',
  tone: 'destructive',
};
test.each([
  [
    'that cannot be sent also goes to /',
    () => Promise.reject(new TypeError('no network')),
    ['/'],
    failed,
  ],
  ['that the server refuses stays on the page', () => refusal(500), [], null],
])('a log-out %s, and the failure is logged', async (_, answer, went, carried) => {
  fakeServer({ 'POST /api/logout': answer });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  assign.mockClear();
  const { by } = show(<AppRoutes />, { path: '/app' });
  await by.click(screen.getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(logged).toHaveBeenCalledWith('Logout failed', expect.any(Error)));
  expect(assign.mock.calls.flat()).toEqual(went);
  expect(takeCarriedToast()).toEqual(carried);
  logged.mockRestore();
});

test('a viewer sees no actions that the server would refuse', async () => {
  server();
  show(<AppRoutes />, { path: '/app', user: { ...ada, role: 'VIEWER' } });
  expect(await screen.findByText('12', {}, loaded)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create Room' })).toBe(null);
  expect(screen.queryByRole('link', { name: 'New Playbook' })).toBe(null);
});

test('a person without an organization is informed, and can still log out', async () => {
  server();
  show(<AppRoutes />, { path: '/app', user: { ...ada, orgId: null, role: null } });
  expect(await screen.findByText('You’re not in an organization', {}, loaded)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
});

// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Shell } from '#web/shell/shell.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';

type Someone = Partial<typeof ada>;
const acme = { id: ada.orgId, name: 'Acme', brandColor: '#2563eb', plan: 'starter', logoUrl: null };
const open = (user: Someone = {}) => {
  fakeServer({ [`GET /api/organizations/${ada.orgId}`]: acme });
  return show(<Shell>page</Shell>, { user: { ...ada, ...user } });
};
const footer = () => screen.getByRole('button', { name: /Account menu$/ });
afterEach(() => vi.useRealTimers());

test('the main navigation is Dashboard, Rooms, Playbooks, Analytics, Settings', () => {
  open();
  const links = within(screen.getByRole('navigation')).getAllByRole('link');
  expect(links.map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual([
    'Dashboard /app',
    'Rooms /app/rooms',
    'Playbooks /app/playbooks',
    'Analytics /app/analytics',
    'Settings /app/settings',
  ]);
});

test('the sidebar shows the plan label Starter Plan', async () => {
  open();
  expect(await screen.findByText('Starter Plan')).toBeTruthy();
});

test.each([
  ['AGENT', 'agent'],
  ['VIEWER', 'viewer'],
  ['ORGADMIN', 'org Admin'],
  ['SUPERADMIN', 'super Admin'],
] as const)('the footer shows the role %s as %s', (role, text) => {
  open({ role });
  expect(within(footer()).getByText(text)).toBeTruthy();
});

test('the footer shows the profile image, else initials, else the email’s letter, else U', () => {
  const nobody = { firstName: '', lastName: '', email: '' };
  const pictured = open({ profileImageUrl: '/portraits/a.webp' });
  expect(footer().querySelector('img')?.getAttribute('src')).toBe('/portraits/a.webp');
  expect(within(footer()).queryByText('AL')).toBe(null);
  pictured.unmount();
  for (const [user, letters, name] of [
    [{}, 'AL', 'Ada Lovelace'],
    [{ ...nobody, email: 'grace@navy.mil' }, 'G', 'grace@navy.mil'],
    [nobody, 'U', 'User'],
  ] as const) {
    const view = open(user);
    expect(within(footer()).getByText(letters)).toBeTruthy();
    expect(within(footer()).getByText(name)).toBeTruthy();
    view.unmount();
  }
});

test('a missing picture is replaced by the initials', () => {
  open({ profileImageUrl: '/portraits/gone.webp' });
  const image = footer().querySelector('img');
  if (image) fireEvent.error(image);
  expect(within(footer()).getByText('AL')).toBeTruthy();
});

test('a tooltip opens after 700 ms, and the next one immediately within 300 ms', () => {
  vi.useFakeTimers();
  open();
  const logout = screen.getByRole('button', { name: 'Log out' });
  const tooltip = () => screen.queryByRole('tooltip');
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  fireEvent.pointerMove(logout, { pointerType: 'mouse' });
  pass(699);
  expect(tooltip()).toBe(null);
  pass(1);
  expect(tooltip()?.textContent).toBe('Log out');
  fireEvent.pointerLeave(logout);
  fireEvent.keyDown(document, { key: 'Escape' });
  pass(299);
  fireEvent.pointerMove(logout, { pointerType: 'mouse' });
  pass(0);
  expect(tooltip()).toBeTruthy();
  fireEvent.pointerLeave(logout);
  fireEvent.keyDown(document, { key: 'Escape' });
  pass(301);
  fireEvent.pointerMove(logout, { pointerType: 'mouse' });
  pass(0);
  expect(tooltip()).toBe(null);
});

test('without an organization the shell offers to create one, and then shows the page', async () => {
  const asked = fakeServer({
    'POST /api/organizations': { id: ada.orgId, name: 'Acme' },
    'GET /api/user': ada,
  });
  const { by } = show(<Shell>page</Shell>, { user: { ...ada, orgId: null, role: null } });
  const title = { name: 'You’re not in an organization' };
  expect(await screen.findByRole('heading', title)).toBeTruthy();
  expect(screen.queryByText('page')).toBe(null);
  await by.click(screen.getByRole('button', { name: 'Create organization' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Organization name is required');
  await by.type(screen.getByLabelText('Organization name'), 'Acme');
  await by.click(screen.getByRole('button', { name: 'Create organization' }));
  await waitFor(() => expect(screen.getByText('page')).toBeTruthy());
  expect(asked[0]).toMatchObject({ method: 'POST', body: { name: 'Acme' } });
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import { PaletteButton } from '#web/palette/palette-button.tsx';
import { PaletteHost } from '#web/palette/palette-host.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';
import { someCall, somePlaybook, someRoom } from '#web/testing/some.ts';

const room = someRoom();
const playbook = somePlaybook(['Greet'], 'Renewal');
const call = someCall({ room: { topic: 'Quarterly review' } });
const address = () => screen.getByTestId('address').textContent;

async function open(role: Role = 'ORGADMIN') {
  const asked = fakeServer({
    'GET /api/rooms': [room],
    'GET /api/playbooks': [playbook],
    'GET /api/calls': [call],
    'POST /api/logout': null,
  });
  const ui = (
    <PaletteHost>
      <PaletteButton />
      <input aria-label="Notes" />
    </PaletteHost>
  );
  const view = show(ui, { user: { ...ada, role } });
  await view.by.keyboard('{Control>}k{/Control}');
  const input = await screen.findByRole('combobox');
  return { ...view, asked, input };
}
const option = (name: string | RegExp) => screen.findByRole('option', { name });
const dialog = () => within(screen.getByRole('dialog', { name: 'Search and commands' }));

test('Ctrl-K opens it with the cursor in its field; Escape returns the focus', async () => {
  const { by, input } = await open();
  expect(document.activeElement).toBe(input);
  await by.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  const button = screen.getByRole('button', { name: 'Search' });
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+K');
  expect(button.textContent).toContain('Ctrl K');
  await by.click(button);
  expect(await screen.findByRole('combobox')).toBeTruthy();
  await by.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test.each([
  [/^Onboarding with Acme/, `/app/rooms/${room.id}`],
  ['Renewal', `/app/playbooks/${playbook.id}`],
  [/^Quarterly review/, `/app/calls/${call.id}`],
  ['Analytics', '/app/analytics'],
  ['Create Room', '/app/rooms?room'],
  ['New Playbook', '/app/playbooks?new'],
  ['Team', '/app/settings/team'],
  ['Invite Member', '/app/settings/team?invite'],
  ['Your profile', '/app/settings/profile'],
  ['Single sign-on', '/app/settings/sso'],
  ['Billing', '/app/settings/billing'],
])('%s leads to %s', async (name, path) => {
  const { by } = await open();
  await by.click(await option(name));
  await waitFor(() => expect(address()).toBe(path));
  expect(screen.queryByRole('dialog')).toBe(null);
});

test('typing filters, arrows select and Enter opens; the server searches rooms', async () => {
  const { by, input, asked } = await open();
  await by.type(input, 'analyti');
  await waitFor(() => expect(screen.getAllByRole('option').length).toBe(2));
  const reads = () => asked.filter(({ path }) => path === '/api/rooms').length;
  await waitFor(() => expect(reads()).toBeGreaterThan(1));
  await by.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  await waitFor(() => expect(address()).toBe('/app/analytics'));
});

test('a text without a match leads to the search of what was said', async () => {
  const { by, input } = await open();
  await by.type(input, 'zzzz');
  await by.click(await option('Search calls for “zzzz”'));
  await waitFor(() => expect(address()).toBe('/app/search?q=zzzz'));
});

test('a search without a match shows a text', async () => {
  const { by, input } = await open();
  await by.type(input, 'zzzz');
  expect(await dialog().findByText('No results')).toBeTruthy();
});

test('Log out sends the request to the server', async () => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const { by, asked } = await open();
  await by.click(await option('Log out'));
  await waitFor(() => expect(asked.some(({ path }) => path === '/api/logout')).toBe(true));
});

test.each(['AGENT', 'VIEWER'] as const)('%s sees no administration pages', async (role) => {
  await open(role);
  await option('Settings');
  for (const name of ['Team', 'Audit Logs'])
    expect(screen.queryByRole('option', { name }), name).toBe(null);
});

test('a viewer sees no actions that the server would refuse', async () => {
  const { by } = await open('VIEWER');
  await option('Log out');
  for (const name of ['Create Room', 'New Playbook'])
    expect(screen.queryByRole('option', { name }), name).toBe(null);
  await by.click(await option('Renewal'));
  await waitFor(() => expect(address()).toBe(`/app/playbooks/${playbook.id}`));
});

test.each([
  ['retention', /^Data retention/, '/app/settings/privacy'],
  ['passkeys', /^Passkeys/, '/app/settings/profile'],
  ['brand', /^Brand color/, '/app/settings'],
])('typing %s finds the setting, which leads to its page', async (typed, name, path) => {
  const { by, input } = await open();
  await by.type(input, typed);
  await by.click(await option(name));
  await waitFor(() => expect(address()).toBe(path));
});

test('an agent finds no setting of a page that the role may not open', async () => {
  const { by, input } = await open('AGENT');
  await by.type(input, 'retention');
  expect(await dialog().findByText('No results')).toBeTruthy();
});

test('a theme is chosen from the palette', async () => {
  const { by, input } = await open();
  await by.type(input, 'dark');
  await by.click(await option(/^Dark/));
  expect(document.documentElement.dataset.theme).toBe('dark');
});

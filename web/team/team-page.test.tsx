// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { accountId } from '#domain/ids.ts';
import { TeamPage } from '#web/team/team-page.tsx';
import { type Asked, fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId, toastLook } from '#web/testing/show.tsx';

const admin: User = { ...ada, role: 'ORGADMIN' };
const member = (last: number, firstName: string, role: Role): User => ({
  ...ada,
  id: accountId.parse(someId(last)),
  firstName,
  email: `${firstName.toLowerCase()}@example.com`,
  role,
});
const grace = member(11, 'Grace', 'AGENT');
const invitation = {
  id: someId(20),
  email: 'linus@example.com',
  role: 'VIEWER',
  createdAt: '2026-03-04T09:00:00Z',
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
};
const sent = { ...invitation, url: 'https://x/invite/secret', mailed: false };
const lists = (users: User[] = [admin, grace]) => ({
  'GET /api/users': users,
  'GET /api/invitations': [invitation],
});
const open = (user: User = admin) => show(<TeamPage />, { path: '/app/settings/team', user });
const rowOf = async (email: string) =>
  within((await screen.findByText(email)).closest('tr') ?? document.body);
const askedFor = (asked: Asked[], method: string) => asked.find((each) => each.method === method);
const shownOnce = async (text: string) => expect(await screen.findByText(text)).toBeTruthy();
async function failed(text: string) {
  await shownOnce(text);
  expect(toastLook(text)).toBe('destructive');
}

test('each role has its badge', async () => {
  const roles = ['SUPERADMIN', 'ORGADMIN', 'AGENT', 'VIEWER'] as const;
  fakeServer(lists(roles.map((role, at) => member(30 + at, `Member${at}`, role))));
  open({ ...admin, role: 'AGENT' });
  for (const [at, [text, look]] of [
    ['Super Admin', 'destructive'],
    ['Admin', 'default'],
    ['Agent', 'secondary'],
    ['Viewer', 'outline'],
  ].entries()) {
    const row = await rowOf(`member${at}@example.com`);
    expect(row.getByText(text ?? '').getAttribute('data-look')).toBe(look);
  }
});

test.each(['AGENT', 'VIEWER'] as const)(
  '%s sees the members and no controls to change them',
  async (role) => {
    const asked = fakeServer(lists());
    open({ ...ada, role });
    await shownOnce(grace.email);
    for (const absent of ['Invite Member', 'Pending invitations', 'Actions'])
      expect(screen.queryByText(absent), absent).toBe(null);
    expect(screen.queryByRole('combobox')).toBe(null);
    expect(asked.map(({ path }) => path)).toEqual(['/api/users']);
  },
);

test('one’s own row shows You and has no controls', async () => {
  fakeServer(lists());
  open();
  const own = await rowOf(admin.email);
  expect(own.getByText('You')).toBeTruthy();
  expect(own.queryByRole('combobox')).toBe(null);
  expect(own.queryByRole('button')).toBe(null);
  expect((await rowOf(grace.email)).getByRole('combobox')).toBeTruthy();
});

test('only another super admin can change a super admin', async () => {
  const boss = member(12, 'Boss', 'SUPERADMIN');
  fakeServer(lists([admin, boss]));
  const { unmount } = open();
  expect((await rowOf(boss.email)).queryByRole('combobox')).toBe(null);
  unmount();
  open({ ...admin, role: 'SUPERADMIN' });
  expect((await rowOf(boss.email)).getByRole('combobox')).toBeTruthy();
});

test('an invitation needs a valid address', async () => {
  const asked = fakeServer(lists());
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Invite Member' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.type(dialog.getByLabelText('Email'), 'nobody');
  await by.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  await shownOnce('Invalid email address');
  expect(askedFor(asked, 'POST')).toBe(undefined);
  expect(dialog.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Agent',
    'Admin',
    'Viewer',
  ]);
});

test.each([
  [true, /We emailed it to linus@example\.com/],
  [false, /Email isn’t set up yet/],
  ['limit', /today’s limit for invitation emails/],
])('an invitation shows its link, and whether it was mailed: %s', async (how, text) => {
  const delivery = how === 'limit' ? { mailed: false, mailLimitReached: true } : { mailed: how };
  const asked = fakeServer({ ...lists(), 'POST /api/users/invite': { ...sent, ...delivery } });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Invite Member' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.type(dialog.getByLabelText('Email'), sent.email);
  await by.selectOptions(dialog.getByLabelText('Role'), 'Viewer');
  await by.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  await shownOnce('Invitation sent successfully');
  expect(askedFor(asked, 'POST')?.body).toEqual({ email: sent.email, role: 'VIEWER' });
  expect(dialog.getByText(text)).toBeTruthy();
  expect(dialog.getByDisplayValue(sent.url)).toBeTruthy();
  await by.click(dialog.getByRole('button', { name: 'Copy link' }));
  await shownOnce('Link copied');
  expect(await navigator.clipboard.readText()).toBe(sent.url);
});

test('a link that cannot be copied is reported by a red toast', async () => {
  fakeServer({ ...lists(), 'POST /api/users/invite': { ...sent, mailed: true } });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Invite Member' }));
  await by.type(within(screen.getByRole('dialog')).getByLabelText('Email'), sent.email);
  await by.click(screen.getByRole('button', { name: 'Send Invitation' }));
  const copy = await screen.findByRole('button', { name: 'Copy link' });
  vi.stubGlobal('ClipboardItem', undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await by.click(copy);
  await failed('Your browser doesn’t allow copying here. Select the link and copy it manually.');
});

test('an invitation appears among the pending ones, and disappears once it is canceled', async () => {
  let pending: object[] = [];
  fakeServer({
    'GET /api/users': [admin],
    'GET /api/invitations': () => pending,
    'POST /api/users/invite': () => {
      pending = [invitation];
      return { ...sent, mailed: true };
    },
    [`DELETE /api/invitations/${invitation.id}`]: () => {
      pending = [];
      return null;
    },
  });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Invite Member' }));
  await by.type(within(screen.getByRole('dialog')).getByLabelText('Email'), sent.email);
  await by.click(screen.getByRole('button', { name: 'Send Invitation' }));
  await by.click(await screen.findByRole('button', { name: 'Done' }));
  await by.click(await screen.findByRole('button', { name: /^Cancel the invitation/ }));
  await vi.waitFor(() =>
    expect(screen.queryByRole('button', { name: /^Cancel the invitation/ })).toBe(null),
  );
});

test('a removed member disappears from the list', async () => {
  let users = [admin, grace];
  fakeServer({
    ...lists(),
    'GET /api/users': () => users,
    [`DELETE /api/users/${grace.id}`]: () => {
      users = [admin];
      return null;
    },
  });
  const { by } = open();
  await by.click((await rowOf(grace.email)).getByRole('button', { name: /^Remove/ }));
  await by.click(await screen.findByRole('button', { name: 'Remove' }));
  await vi.waitFor(() => expect(screen.queryByText(grace.email)).toBe(null));
});

test('a refused invitation shows the reason', async () => {
  const message = 'This person is already on your team.';
  fakeServer({ ...lists(), 'POST /api/users/invite': () => refusal(409, { message }) });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Invite Member' }));
  await by.type(within(screen.getByRole('dialog')).getByLabelText('Email'), grace.email);
  await by.click(screen.getByRole('button', { name: 'Send Invitation' }));
  await failed(message);
});

test('a role is changed in the row, and the list is fetched again', async () => {
  const path = `/api/users/${grace.id}/role`;
  const asked = fakeServer({ ...lists(), [`PUT ${path}`]: grace });
  const { by } = open();
  await by.selectOptions((await rowOf(grace.email)).getByRole('combobox'), 'Admin');
  await shownOnce('User role updated');
  expect(askedFor(asked, 'PUT')).toEqual({ method: 'PUT', path, body: { role: 'ORGADMIN' } });
  await vi.waitFor(() => expect(asked.filter((each) => each.path === '/api/users').length).toBe(2));
});

test.each([
  [{}, []],
  [{ message: 'Make someone else an admin first.' }, ['Make someone else an admin first.']],
])('a role that could not be changed is reported with %j', async (problem, texts) => {
  fakeServer({
    ...lists(),
    [`PUT /api/users/${grace.id}/role`]: () => refusal(409, problem),
  });
  const { by } = open();
  await by.selectOptions((await rowOf(grace.email)).getByRole('combobox'), 'Viewer');
  for (const text of ['Failed to update role', ...texts]) await failed(text);
  expect((await rowOf(grace.email)).getByRole('combobox')).toHaveProperty('value', 'AGENT');
});

test('removing asks first', async () => {
  const asked = fakeServer({ ...lists(), [`DELETE /api/users/${grace.id}`]: null });
  const { by } = open();
  const remove = (await rowOf(grace.email)).getByRole('button', { name: `Remove ${grace.email}` });
  await by.click(remove);
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('Remove team member?')).toBeTruthy();
  expect(
    dialog.getByText(
      `This will remove ${grace.email} from your organization. They will lose access to all data.`,
    ),
  ).toBeTruthy();
  await by.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(askedFor(asked, 'DELETE')).toBe(undefined);
  await by.click(remove);
  await by.click(await screen.findByRole('button', { name: 'Remove' }));
  await shownOnce('User removed from organization');
  expect(screen.queryByRole('alertdialog')).toBe(null);
});

test('a member who cannot be removed stays, and the failure is shown', async () => {
  fakeServer({ ...lists(), [`DELETE /api/users/${grace.id}`]: () => refusal(500) });
  const { by } = open();
  await by.click((await rowOf(grace.email)).getByRole('button', { name: /^Remove/ }));
  await by.click(await screen.findByRole('button', { name: 'Remove' }));
  await failed('Failed to remove user');
  expect(screen.getByText(grace.email)).toBeTruthy();
});

test('a member is signed out everywhere with one click and a confirmation', async () => {
  const asked = fakeServer({ ...lists(), [`DELETE /api/users/${grace.id}/sessions`]: null });
  const { by } = open();
  const name = `Sign out ${grace.email} everywhere`;
  await by.click((await rowOf(grace.email)).getByRole('button', { name }));
  await shownOnce(`${grace.email} has been signed out everywhere`);
  expect(asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('a pending invitation is sent again with a new link, or canceled', async () => {
  fakeServer({
    ...lists(),
    [`POST /api/invitations/${invitation.id}/resend`]: sent,
    [`DELETE /api/invitations/${invitation.id}`]: null,
  });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: /^Resend/ }));
  expect(await screen.findByDisplayValue(sent.url)).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Done' }));
  await by.click(await screen.findByRole('button', { name: /^Cancel the invitation/ }));
  await shownOnce('Invitation cancelled');
});

test('an invitation that could not be canceled is reported, and an expired one is marked', async () => {
  fakeServer({
    'GET /api/users': [admin],
    'GET /api/invitations': [{ ...invitation, expiresAt: '2026-03-04T09:00:00Z' }],
    [`DELETE /api/invitations/${invitation.id}`]: () => refusal(500),
  });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: /^Cancel the invitation/ }));
  await failed('Failed to cancel invitation');
  expect(screen.getByText(/^Expired /)).toBeTruthy();
});

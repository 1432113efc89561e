// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { ProvisioningPage } from '#web/scim/provisioning-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const admin: User = { ...ada, role: 'ORGADMIN' };
const token = {
  id: someId(60),
  name: 'Okta',
  createdAt: '2026-03-04T09:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  isReplaced: false,
  orphanOf: null,
};
const group = { id: someId(70), displayName: 'Support', memberCount: 3, role: null };
const lists = {
  'GET /api/scim-tokens': [token],
  'GET /api/scim-groups': [group],
  'GET /api/scim-settings': {
    endpoint: 'https://calls.example.com/scim/v2',
    defaultRole: 'VIEWER',
  },
};
const open = (user: User = admin) =>
  show(<ProvisioningPage />, { path: '/app/settings/provisioning', user });
const asked = (all: ReturnType<typeof fakeServer>, method: string) =>
  all.filter((each) => each.method === method);

test.each(['AGENT', 'VIEWER'] as const)(
  '%s reads that this is for admins, and no request is sent',
  async (role) => {
    const all = fakeServer(lists);
    open({ ...ada, role });
    expect(await screen.findByText('Only admins can set up provisioning')).toBeTruthy();
    expect(all).toEqual([]);
  },
);

test('a token is created with a name and an expiry, and shown once', async () => {
  const made = { ...token, token: 'rapport_scim_secret' };
  const all = fakeServer({ ...lists, 'POST /api/scim-tokens': made });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'New token' }));
  const dialog = within(await screen.findByRole('dialog'));
  await by.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await dialog.findByText('Please name the token')).toBeTruthy();
  await by.type(dialog.getByLabelText('Name'), 'Okta');
  await by.selectOptions(dialog.getByLabelText('Expires'), 'Never');
  await by.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByDisplayValue(made.token)).toBeTruthy();
  expect(asked(all, 'POST').map(({ body }) => body)).toEqual([
    { name: 'Okta', expiresInDays: null },
  ]);
  await by.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByDisplayValue(made.token)).toBe(null);
});

test('A14: creating a token asks for re-authentication where the server requires it, and keeps the input', async () => {
  const made = { ...token, token: 'rapport_scim_secret' };
  let isConfirmed = false;
  const all = fakeServer({
    ...lists,
    'POST /api/scim-tokens': () =>
      isConfirmed ? made : refusal(403, { code: 'confirmation_needed', message: 'Confirm first' }),
    'POST /api/user/confirm': () => {
      isConfirmed = true;
      return null;
    },
  });
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'New token' }));
  await by.type(await screen.findByLabelText('Name'), 'Okta');
  await by.selectOptions(screen.getByLabelText('Expires'), 'Never');
  await by.click(screen.getByRole('button', { name: 'Create token' }));
  await screen.findByLabelText('Password');
  await by.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByLabelText('Password')).toBe(null);
  expect(await screen.findByDisplayValue('Okta')).toBeTruthy();
  await by.click(await screen.findByRole('button', { name: 'Create token' }));
  await by.type(await screen.findByLabelText('Password'), 'correct horse');
  await by.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByDisplayValue(made.token)).toBeTruthy();
  const tries = all.filter(({ path, method }) => method === 'POST' && path === '/api/scim-tokens');
  expect(tries.map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => ({ name: 'Okta', expiresInDays: null })),
  );
});

test('rotating shows the new token, and asks how long the old one works', async () => {
  const path = `/api/scim-tokens/${token.id}/rotate`;
  const made = { ...token, id: someId(61), token: 'rapport_scim_next' };
  const all = fakeServer({ ...lists, [`POST ${path}`]: made });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: 'Rotate the token Okta' }));
  await by.selectOptions(await screen.findByLabelText('Old token expires'), 'In one week');
  await by.click(screen.getByRole('button', { name: 'Create new token' }));
  expect(await screen.findByDisplayValue(made.token)).toBeTruthy();
  expect(asked(all, 'POST')).toEqual([{ method: 'POST', path, body: { overlapHours: 168 } }]);
});

test('revoking asks first', async () => {
  const path = `/api/scim-tokens/${token.id}`;
  const all = fakeServer({ ...lists, [`DELETE ${path}`]: null });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: 'Revoke the token Okta' }));
  expect(asked(all, 'DELETE')).toEqual([]);
  const dialog = within(await screen.findByRole('alertdialog'));
  await by.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Token revoked')).toBeTruthy();
});

test('a group is given a role, and a refusal shows the reason', async () => {
  const path = `/api/scim-groups/${group.id}/role`;
  const all = fakeServer({
    ...lists,
    [`PUT ${path}`]: () => refusal(409, { message: 'One admin must stay.' }),
  });
  const { by } = open();
  const select = await screen.findByRole('combobox', { name: 'Role of Support' });
  expect(
    within(select)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['No role', 'Admin', 'Agent', 'Viewer']);
  await by.selectOptions(select, 'Agent');
  expect(await screen.findByText('One admin must stay.')).toBeTruthy();
  expect(asked(all, 'PUT')).toEqual([{ method: 'PUT', path, body: { role: 'AGENT' } }]);
});

test('empty and failed lists show a text', async () => {
  fakeServer({
    ...lists,
    'GET /api/scim-tokens': [],
    'GET /api/scim-groups': () => refusal(500, { message: 'Broken' }),
  });
  open();
  expect(await screen.findByText('No tokens yet')).toBeTruthy();
  expect(await screen.findByText('Broken')).toBeTruthy();
  expect(screen.getByDisplayValue('https://calls.example.com/scim/v2')).toBeTruthy();
});

test('a token of an admin who has left shows when it stops, and can be adopted', async () => {
  const orphan = { ...token, expiresAt: '2099-03-04T09:00:00Z', orphanOf: { name: 'Mal Ory' } };
  const path = `/api/scim-tokens/${token.id}/adopt`;
  const all = fakeServer({ ...lists, 'GET /api/scim-tokens': [orphan], [`POST ${path}`]: token });
  const { by } = open();
  expect(await screen.findByText(/Created by Mal Ory, who has left.*stop working on/)).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Adopt the token Okta' }));
  expect(await screen.findByText('Token adopted')).toBeTruthy();
  expect(asked(all, 'POST').map((each) => each.path)).toEqual([path]);
});

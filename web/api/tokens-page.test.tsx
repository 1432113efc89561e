// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { TokensPage } from '#web/api/tokens-page.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const token = {
  id: someId(70),
  name: 'Sync',
  scopes: ['rooms:read'],
  createdAt: '2026-03-04T09:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
};
const lists = {
  'GET /api/user/tokens': [token],
  'GET /api/organization-tokens': [
    { ...token, person: 'Bob Berg', madeBy: 'Bob Berg', isOfAdmin: true },
    { ...token, id: someId(71), name: 'Export', person: null, madeBy: 'Eve Ek', isOfAdmin: false },
  ],
  'POST /api/user/tokens': { ...token, name: 'Script', token: 'rpt_only-once' },
};
const open = (role: 'ORGADMIN' | 'AGENT') =>
  show(<TokensPage />, { path: '/app/settings/api', user: { ...ada, role } });

test('a new token is shown once, and the form sends the chosen scopes', async () => {
  const sent = fakeServer(lists);
  open('AGENT');
  await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Script');
  expect(screen.queryByRole('checkbox', { name: /rooms:embed/ })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: /rooms:read/ }));
  await userEvent.selectOptions(screen.getByLabelText('Expires'), '365');
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByDisplayValue('rpt_only-once')).toBeTruthy();
  expect(sent).toContainEqual(
    expect.objectContaining({
      body: { name: 'Script', scopes: ['rooms:read'], expiresInDays: 365 },
    }),
  );
  expect(screen.queryByText('Tokens of your organization')).toBeNull();
});

test('an admin sees whose tokens there are in the organization, and where the API is described', async () => {
  fakeServer(lists);
  open('ORGADMIN');
  const reference = await screen.findByRole('link', { name: 'API reference' });
  expect(reference.getAttribute('href')).toBe('/docs/api');
  expect(await screen.findByText('Bob Berg')).toBeTruthy();
  expect(screen.getByText('Organization, made by Eve Ek, who is no longer an admin')).toBeTruthy();
});

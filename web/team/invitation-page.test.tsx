// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { AuthPage } from '#web/auth/auth-page.tsx';
import { InvitationPage } from '#web/team/invitation-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, toastLook } from '#web/testing/show.tsx';

const invitation = {
  email: 'grace@example.com',
  organization: { name: 'Acme Success', brandColor: '#2563eb', logoUrl: null },
  hasAccount: false,
};
const known = { ...invitation, hasAccount: true };
const read = 'GET /api/invitations/tok';
const accept = 'POST /api/invitations/tok/accept';
const page = (
  <Routes>
    <Route path="invite/:token" element={<InvitationPage />} />
    <Route path="auth" element={<AuthPage />} />
    <Route path="*" element={null} />
  </Routes>
);
const open = (user: User | null = null) => show(page, { path: '/invite/tok', user });
const submit = () => screen.getByRole('button', { name: 'Accept Invitation' });

async function fillIn(by: ReturnType<typeof open>['by']) {
  await by.type(await screen.findByLabelText('First Name'), 'Grace');
  await by.type(screen.getByLabelText('Last Name'), 'Hopper');
  await by.type(screen.getByLabelText('Password'), 'longenough');
  await by.click(submit());
}

test('the form shows the invited address and the organization', async () => {
  fakeServer({ [read]: invitation });
  open();
  expect(await screen.findByRole('heading', { name: 'Join Your Team' })).toBeTruthy();
  expect(screen.getByText('Complete your profile to accept the invitation')).toBeTruthy();
  expect(screen.getByText(/Acme Success/)).toBeTruthy();
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', invitation.email);
});

test('a missing value is reported at its field', async () => {
  const asked = fakeServer({ [read]: invitation });
  const { by } = open();
  await by.clear(await screen.findByLabelText('Email Address'));
  await by.type(screen.getByLabelText('Password'), 'seven77');
  await by.click(submit());
  for (const text of [
    'Invalid email address',
    'First name is required',
    'Last name is required',
    'Password must be at least 8 characters',
  ])
    expect(await screen.findByText(text)).toBeTruthy();
  expect(asked.length).toBe(1);
});

test('accepting creates the account and leads to sign-in with the address filled in', async () => {
  const asked = fakeServer({ [read]: invitation, [accept]: ada });
  const { by } = open();
  await fillIn(by);
  expect(await screen.findByText('Success!')).toBeTruthy();
  expect(screen.getByText('Your account has been created. Please log in.')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=/app'));
  expect(screen.getByLabelText('Email')).toHaveProperty('value', invitation.email);
  expect(asked.at(-1)?.body).toEqual({
    email: invitation.email,
    firstName: 'Grace',
    lastName: 'Hopper',
    password: 'longenough',
  });
});

test('the button shows Creating Account... while the request runs', async () => {
  fakeServer({ [read]: invitation, [accept]: () => new Promise(() => {}) });
  const { by } = open();
  await fillIn(by);
  expect(screen.getByRole('button', { name: 'Creating Account...' })).toHaveProperty(
    'disabled',
    true,
  );
});

test.each([
  [{ message: 'This email already has an account.' }, 'This email already has an account.'],
  [{}, 'Failed to accept invitation'],
])('a refusal with %j shows %s', async (problem, text) => {
  fakeServer({ [read]: invitation, [accept]: () => refusal(409, problem) });
  const { by } = open();
  await fillIn(by);
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(toastLook(text)).toBe('destructive');
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/invite/tok');
});

test.each([
  [410, 'This invitation is no longer valid'],
  [404, 'This invitation link doesn’t work'],
])('a link that answers %i shows: %s', async (status, title) => {
  fakeServer({ [read]: () => refusal(status) });
  open();
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to sign in' }).getAttribute('href')).toBe(
    '/auth?next=/app',
  );
  await vi.waitFor(() => expect(screen.queryByLabelText('Password')).toBe(null));
});

const join = 'POST /api/user/membership';
const grace = { ...ada, email: invitation.email, orgId: null, role: null };

test('an address with an account is asked to sign in, and returns to the invitation', async () => {
  fakeServer({ [read]: known });
  open();
  const link = await screen.findByRole('link', { name: 'Sign in to accept' });
  expect(link.getAttribute('href')).toBe('/auth?next=%2Finvite%2Ftok');
  expect(screen.queryByLabelText('Password')).toBe(null);
});

test('signed in as that address, one button joins', async () => {
  const asked = fakeServer({ [read]: known, [join]: { mustSignIn: false } });
  const { by } = open(grace);
  await by.click(await screen.findByRole('button', { name: 'Join Acme Success' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/app'));
  expect(asked.find(({ path }) => path === '/api/user/membership')?.body).toEqual({
    invitation: 'tok',
    leaveOrganization: false,
  });
  expect(screen.getByText('You joined Acme Success')).toBeTruthy();
});

test('a member of another organization reads that joining leaves it', async () => {
  const asked = fakeServer({ [read]: known, [join]: { mustSignIn: true } });
  const { by } = open({ ...ada, email: invitation.email });
  expect(await screen.findByText(/You’ll leave your current organization/)).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Leave and join Acme Success' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=/app'));
  expect(asked.find(({ path }) => path === '/api/user/membership')?.body).toMatchObject({
    leaveOrganization: true,
  });
});

test('signed in as another address, the page says so and offers to sign out', async () => {
  fakeServer({ [read]: known });
  open(ada);
  expect(await screen.findByText(/You’re signed in as ada@example.com/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Join/ })).toBe(null);
});

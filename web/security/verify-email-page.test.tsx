// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import { VerifyEmailPage } from '#web/security/verify-email-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';

const read = 'GET /api/verify-email/tok';
const verify = 'POST /api/verify-email/tok';
const unverified = { email: ada.email, verified: false };
const page = (
  <Routes>
    <Route path="verify-email/:token" element={<VerifyEmailPage />} />
    <Route path="*" element={null} />
  </Routes>
);
const open = (user: User | null) => show(page, { path: '/verify-email/tok', user });
const isConfirmed = (asked: { method: string }[]) => asked.some(({ method }) => method === 'POST');

test('in a session of the account the link confirms the address and leads to the app', async () => {
  const asked = fakeServer({ [read]: unverified, [verify]: { newPasswordUrl: null } });
  open(ada);
  expect(await screen.findByText('Your email address is confirmed')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/app'));
  expect(isConfirmed(asked)).toBe(true);
});

test('in a session of the account, a link that was used before leads to the app', async () => {
  fakeServer({ [read]: { ...unverified, verified: true } });
  open(ada);
  expect(await screen.findByText('Your email address is already confirmed')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/app'));
});

test.each([
  ['signed out', null],
  ['signed in as someone else', { ...ada, email: 'other@example.com' }],
])('%s, nothing is confirmed before the person chooses', async (_, user) => {
  const asked = fakeServer({ [read]: unverified });
  open(user);
  const link = await screen.findByRole('link', { name: 'Sign in to confirm' });
  expect(link.getAttribute('href')).toBe('/auth?next=%2Fverify-email%2Ftok');
  expect(isConfirmed(asked)).toBe(false);
});

test('confirming without signing in says what was removed, and links to a new password', async () => {
  const newPasswordUrl = 'https://calls.example.com/reset-password/next';
  fakeServer({ [read]: unverified, [verify]: { newPasswordUrl } });
  const { by } = open(null);
  await by.click(await screen.findByRole('button', { name: 'Confirm and choose a new password' }));
  expect(
    await screen.findByText(/We removed the previous password, passkeys and sessions/),
  ).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Choose a new password' });
  expect(link.getAttribute('href')).toBe('/reset-password/next');
});

test('a link that was used before says so and confirms nothing', async () => {
  const asked = fakeServer({ [read]: { ...unverified, verified: true } });
  open(null);
  expect(
    await screen.findByRole('heading', { name: 'Your email address is already confirmed' }),
  ).toBeTruthy();
  expect(isConfirmed(asked)).toBe(false);
});

test('an expired link says what to do', async () => {
  fakeServer({ [read]: () => refusal(410, { message: 'This link has expired.' }) });
  open(null);
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work' })).toBeTruthy();
  await waitFor(() => expect(screen.getByText('This link has expired.')).toBeTruthy());
});

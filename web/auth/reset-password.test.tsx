// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { AuthPage } from '#web/auth/auth-page.tsx';
import { ResetPasswordPage } from '#web/auth/reset-password-page.tsx';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { ada, show, toastLook } from '#web/testing/show.tsx';

const reset = 'POST /api/reset-password/tok';
const page = (
  <Routes>
    <Route path="auth" element={<AuthPage />} />
    <Route path="reset-password/:token" element={<ResetPasswordPage />} />
  </Routes>
);
const open = (path = '/reset-password/tok') => show(page, { path, user: null });
afterEach(() => vi.useRealTimers());
const address = () => screen.getByTestId('address').textContent;

async function choose(by: ReturnType<typeof open>['by'], password: string, again = password) {
  await by.type(screen.getByLabelText('New Password'), password);
  await by.type(screen.getByLabelText('Confirm Password'), again);
  await by.click(screen.getByRole('button', { name: 'Reset Password' }));
}

test('a new password is set, a toast confirms it, and two seconds later sign-in opens for this address', async () => {
  vi.useFakeTimers();
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const asked = fakeServer({ [reset]: { email: ada.email }, 'GET /api/user': signedOut });
  open();
  expect(screen.getByRole('heading', { name: 'Reset Your Password' })).toBeTruthy();
  expect(screen.getByText('Enter your new password below')).toBeTruthy();
  for (const label of ['New Password', 'Confirm Password'])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'secret2' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
  await pass(0);
  expect(screen.getByRole('heading', { name: 'Password Reset Successful!' })).toBeTruthy();
  expect(toastLook('Password Reset Successful!')).toBe('default');
  expect(asked[0]?.body).toEqual({ password: 'secret2' });
  await pass(1999);
  expect(address()).toBe('/reset-password/tok');
  await pass(1);
  expect(address()).toBe('/auth?next=/app');
  expect(screen.getByLabelText('Email')).toHaveProperty('value', ada.email);
});

test('an invalid value is reported at its field', async () => {
  const asked = fakeServer({});
  const { by } = open();
  await choose(by, 'short');
  expect((await screen.findAllByText('Password must be at least 6 characters')).length).toBe(2);
  await by.type(screen.getByLabelText('New Password'), 'er password');
  await by.type(screen.getByLabelText('Confirm Password'), 'er passwort');
  const text = await screen.findByText("Passwords don't match");
  expect(screen.getByLabelText('Confirm Password').getAttribute('aria-describedby')).toBe(text.id);
  expect(asked).toEqual([]);
});

test('the button shows Resetting Password... while the request runs', async () => {
  fakeServer({ [reset]: () => new Promise(() => {}) });
  const { by } = open();
  await choose(by, 'secret2');
  expect(screen.getByRole('button', { name: 'Resetting Password...' })).toBeTruthy();
});

test.each([
  [() => refusal(410, { message: 'This link was used.' }), 'This link was used.'],
  [() => refusal(500), 'Failed to reset password'],
  [
    () => Promise.reject(new TypeError('no network')),
    'An unexpected error occurred. Please try again.',
  ],
])('a failure is reported in the form and as a toast', async (answer, text) => {
  fakeServer({ [reset]: answer });
  const { by } = open();
  await choose(by, 'secret2');
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(toastLook('Error')).toBe('destructive');
  expect(screen.getAllByText(text).length).toBe(2);
  expect(within(screen.getByRole('main')).getByRole('alert').textContent).toBe(text);
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe(
    '/auth?next=/app',
  );
});

test('each password can be shown', async () => {
  const { by } = open();
  for (const button of screen.getAllByRole('button', { name: 'Show password' }))
    await by.click(button);
  for (const label of ['New Password', 'Confirm Password'])
    expect(screen.getByLabelText(label).getAttribute('type')).toBe('text');
});

async function forget(by: ReturnType<typeof open>['by'], email: string) {
  await by.click(screen.getByRole('button', { name: 'Forgot password?' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Password' }));
  if (email) await by.type(dialog.getByLabelText('Email'), email);
  await by.click(dialog.getByRole('button', { name: 'Send Reset Link' }));
  return dialog;
}

test('a person who forgot the password is sent a link, and the modal closes', async () => {
  const asked = fakeServer({ 'POST /api/forgot-password': null });
  const { by } = open('/auth');
  await forget(by, 'ada@example.com');
  expect(await screen.findByText('Email sent')).toBeTruthy();
  expect(
    screen.getByText("If an account exists with that email, you'll receive a password reset link."),
  ).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBe(null);
  expect(asked).toEqual([
    { method: 'POST', path: '/api/forgot-password', body: { email: 'ada@example.com' } },
  ]);
});

test('the button shows Sending... while the request runs, and the modal stays open', async () => {
  fakeServer({ 'POST /api/forgot-password': () => new Promise(() => {}) });
  const { by } = open('/auth');
  const dialog = await forget(by, 'ada@example.com');
  expect(dialog.getByRole('button', { name: 'Sending...' })).toHaveProperty('disabled', true);
});

test('the email is required, and Cancel closes', async () => {
  const asked = fakeServer({});
  const { by } = open('/auth');
  const dialog = await forget(by, '');
  expect(await dialog.findByText('Please enter a valid email address')).toBeTruthy();
  const email = dialog.getByLabelText('Email');
  expect(email).toHaveProperty('required', true);
  expect(email.getAttribute('type')).toBe('email');
  await by.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBe(null);
  expect(asked).toEqual([]);
});

test('a link that could not be sent is reported and keeps the modal open', async () => {
  fakeServer({ 'POST /api/forgot-password': () => refusal(500) });
  const { by } = open('/auth');
  await forget(by, 'ada@example.com');
  expect(await screen.findByText('Failed to send reset email. Please try again.')).toBeTruthy();
  expect(toastLook('Failed to send reset email. Please try again.')).toBe('destructive');
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('Back to Login leads to the sign-in page', async () => {
  fakeServer({});
  const { by } = open();
  await by.click(screen.getByRole('link', { name: 'Back to Login' }));
  expect(address()).toBe('/auth?next=/app');
});

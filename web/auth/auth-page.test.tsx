// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { AuthPage } from '#web/auth/auth-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, toastLook } from '#web/testing/show.tsx';

const address = () => screen.getByTestId('address').textContent;
// Behind its route as in the application, so that it does not see the address that it navigates to.
const page = (
  <Routes>
    <Route path="auth" element={<AuthPage />} />
    <Route path="*" element={null} />
  </Routes>
);
const open = (path = '/auth') => show(page, { path, user: null });

async function signIn(by: ReturnType<typeof open>['by']) {
  await by.type(screen.getByLabelText('Email'), 'ada@example.com');
  await by.type(screen.getByLabelText('Password'), 'secret1');
  await by.click(screen.getByRole('button', { name: 'Sign In' }));
}

test('signing in greets and goes to the page that was requested', async () => {
  const asked = fakeServer({ 'POST /api/login': ada });
  const { by } = open('/auth?next=%2Fapp%2Frooms');
  await signIn(by);
  await waitFor(() => expect(address()).toBe('/app/rooms'));
  expect(asked[0]?.body).toEqual({ email: 'ada@example.com', password: 'secret1' });
  expect(screen.getByText('Welcome back!')).toBeTruthy();
  expect(screen.getByText('Logged in successfully as Ada Lovelace')).toBeTruthy();
});

test('with no next, or one of another site, signing in goes to /', async () => {
  show(<AuthPage />, { path: '/auth?next=//evil.example' });
  await waitFor(() => expect(address()).toBe('/'));
});

test('the button shows Signing In... while the request runs, which is sent once', async () => {
  const asked = fakeServer({ 'POST /api/login': () => new Promise(() => {}) });
  const { by } = open();
  await signIn(by);
  const button = screen.getByRole('button', { name: 'Signing In...' });
  await by.click(button);
  expect(asked.length).toBe(1);
});

test('wrong credentials show a generic message', async () => {
  fakeServer({ 'POST /api/login': () => refusal(401, { message: 'No such account' }) });
  const { by } = open();
  await signIn(by);
  expect(await screen.findByText('Login failed')).toBeTruthy();
  expect(toastLook('Login failed')).toBe('destructive');
  expect(screen.getByText('Invalid email or password')).toBeTruthy();
});

test('a missing value is reported at its field', async () => {
  const asked = fakeServer({});
  const { by } = open();
  await by.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('Please enter a valid email address')).toBeTruthy();
  expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy();
  await by.click(screen.getByRole('tab', { name: 'Create Account' }));
  await by.click(screen.getByRole('button', { name: 'Create Account' }));
  expect(await screen.findByText('First name is required')).toBeTruthy();
  expect(screen.getByText('Last name is required')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('creating an account leaves an empty organization out of the request', async () => {
  const asked = fakeServer({ 'POST /api/register': ada });
  const { by } = open();
  await by.click(screen.getByRole('tab', { name: 'Create Account' }));
  await by.type(screen.getByLabelText('First name'), 'Ada');
  await by.type(screen.getByLabelText('Last name'), 'Lovelace');
  await by.type(screen.getByLabelText('Email'), 'ada@example.com');
  await by.type(screen.getByLabelText('Password'), 'secret1');
  await by.click(screen.getByRole('button', { name: 'Create Account' }));
  expect(await screen.findByText('Welcome to the product!')).toBeTruthy();
  expect(screen.getByText('Account created successfully for Ada Lovelace')).toBeTruthy();
  expect(asked[0]?.body).toEqual({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    password: 'secret1',
  });
});

test("a failed registration shows the server's message", async () => {
  fakeServer({ 'POST /api/register': () => refusal(409, { message: 'This email is taken.' }) });
  const { by } = open();
  await by.click(screen.getByRole('tab', { name: 'Create Account' }));
  for (const label of ['First name', 'Last name']) await by.type(screen.getByLabelText(label), 'A');
  await by.type(screen.getByLabelText('Email'), 'ada@example.com');
  await by.type(screen.getByLabelText('Password'), 'secret1');
  await by.click(screen.getByRole('button', { name: 'Create Account' }));
  expect(await screen.findByText('Registration failed')).toBeTruthy();
  expect(toastLook('Registration failed')).toBe('destructive');
  expect(screen.getByText('This email is taken.')).toBeTruthy();
});

test('the password can be shown and hidden', async () => {
  const { by } = open();
  const field = screen.getByLabelText('Password');
  expect(field.getAttribute('type')).toBe('password');
  await by.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.getAttribute('type')).toBe('text');
  await by.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(field.getAttribute('type')).toBe('password');
});

async function register(by: ReturnType<typeof open>['by']) {
  await by.click(screen.getByRole('tab', { name: 'Create Account' }));
  for (const label of ['First name', 'Last name']) await by.type(screen.getByLabelText(label), 'A');
  await by.type(screen.getByLabelText('Email'), 'ada@example.com');
  await by.type(screen.getByLabelText('Password'), 'secret1');
  await by.type(screen.getByLabelText(/^Organization Name/), 'Engines');
  await by.click(screen.getByRole('button', { name: 'Create Account' }));
}

test('the button shows Creating Account... while the request runs, which contains the organization', async () => {
  const asked = fakeServer({ 'POST /api/register': () => new Promise(() => {}) });
  const { by } = open();
  await register(by);
  expect(await screen.findByRole('button', { name: 'Creating Account...' })).toBeTruthy();
  expect(asked[0]?.body).toMatchObject({ orgName: 'Engines' });
});

test('a registration that failed without a reason shows a default message', async () => {
  fakeServer({ 'POST /api/register': () => refusal(500) });
  const { by } = open();
  await register(by);
  expect((await screen.findAllByText('Registration failed')).length).toBe(2);
});

test('the tabs switch between signing in and creating an account', async () => {
  const { by } = open();
  const chosen = () => screen.getByRole('tab', { selected: true }).textContent;
  expect(chosen()).toBe('Sign In');
  expect(screen.queryByLabelText('First name')).toBe(null);
  await by.click(screen.getByRole('tab', { name: 'Create Account' }));
  expect(chosen()).toBe('Create Account');
  expect(screen.getByLabelText('First name')).toBeTruthy();
  await by.click(screen.getByRole('tab', { name: 'Sign In' }));
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy();
  expect(screen.queryByLabelText('First name')).toBe(null);
});

test('the trial page’s link opens the tab Create Account', () => {
  open('/auth?tab=register');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Create Account');
});

test('the page lists calls with custom branding, playbooks and analytics', () => {
  open();
  for (const claim of ['Video calling with custom branding', 'Success playbooks', 'Analytics'])
    expect(screen.getByText(claim), claim).toBeTruthy();
});

test('a sign-in started from the identity provider asks before single sign-on begins', async () => {
  const asked = fakeServer({ 'POST /api/sso/start': () => new Promise(() => {}) });
  const { by } = open('/auth?sso=continue&email=ada%40corp.example&next=%2Fapp%2Frooms');
  expect(screen.getByRole('status').textContent).toContain('sign in as ada@corp.example');
  expect(asked).toEqual([]);
  await by.click(screen.getByRole('button', { name: 'Use single sign-on' }));
  await by.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() =>
    expect(asked[0]?.body).toEqual({ email: 'ada@corp.example', next: '/app/rooms' }),
  );
});

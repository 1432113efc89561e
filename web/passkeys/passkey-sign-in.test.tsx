// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AuthPage } from '#web/auth/auth-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, toastLook } from '#web/testing/show.tsx';
import { shownToasts } from '#web/ui/toast-store.ts';

const optionsJSON = { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [] };
const quiet = { mediation: 'conditional' };
const get = vi.fn<(options: CredentialRequestOptions) => Promise<Credential>>();

beforeEach(() => {
  get.mockReset();
  const isConditionalMediationAvailable = async () => true;
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable }),
  );
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
});

const unsupported = () =>
  Promise.reject(new DOMException('Resident credentials are not supported', 'NotSupportedError'));

test('a browser that can’t offer passkeys by itself shows no failure', async () => {
  fakeServer({ 'POST /api/login/passkey/options': { optionsJSON } });
  get.mockImplementation(unsupported);
  show(<AuthPage />, { path: '/auth', user: null });
  await waitFor(() => expect(get).toHaveBeenCalledWith(expect.objectContaining(quiet)));
  await Promise.allSettled(get.mock.results.map(({ value }) => value));
  await screen.findByRole('button', { name: 'Sign In' });
  expect(shownToasts()).toEqual([]);
});

test('neither does a server that refuses to start', async () => {
  const asked = fakeServer({ 'POST /api/login/passkey/options': () => refusal(429) });
  show(<AuthPage />, { path: '/auth', user: null });
  await waitFor(() => expect(asked).toHaveLength(1));
  await screen.findByRole('button', { name: 'Sign In' });
  expect(shownToasts()).toEqual([]);
});

test('who asks for a passkey is told of the failure', async () => {
  fakeServer({ 'POST /api/login/passkey/options': { optionsJSON } });
  get.mockImplementation(unsupported);
  const { by } = show(<AuthPage />, { path: '/auth', user: null });
  await by.click(screen.getByRole('button', { name: 'Use a passkey' }));
  expect(await screen.findByText('Login failed')).toBeTruthy();
  expect(toastLook('Login failed')).toBe('destructive');
});

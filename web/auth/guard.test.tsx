// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { Guard } from '#web/auth/guard.tsx';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { ada, show, showAsking } from '#web/testing/show.tsx';

const guarded = (
  <Guard>
    <p>Secret</p>
  </Guard>
);
const page = (
  <Routes>
    <Route path="app/*" element={guarded} />
    <Route path="*" element={null} />
  </Routes>
);

function Lost() {
  return useAuth().status;
}

test('a spinner shows while it is not known whether the person is signed in', () => {
  fakeServer({ 'GET /api/user': () => new Promise(() => {}) });
  showAsking(page, '/app/rooms');
  expect(screen.getByRole('status').textContent).toContain('Loading');
  expect(screen.queryByText('Secret')).toBe(null);
});

test('a signed-in person sees the page', () => {
  show(page, { user: ada });
  expect(screen.getByText('Secret')).toBeTruthy();
});

test('a signed-out person is sent to sign in, and comes back', async () => {
  fakeServer({ 'GET /api/user': signedOut });
  showAsking(page, '/app/rooms?x=1');
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fapp%2Frooms%3Fx%3D1'),
  );
});

test('a server error does not count as being signed out', async () => {
  const asked = fakeServer({
    'GET /api/user': () => refusal(503, { message: 'Back in a minute' }),
  });
  showAsking(page, '/app');
  expect(await screen.findByText('Back in a minute', {}, { timeout: 3000 })).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/app'));
  expect(asked.length, 'one retry').toBe(2);
});

test('outside its provider useAuth throws an error', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<Lost />)).toThrow('useAuth must be used within an AuthProvider');
});

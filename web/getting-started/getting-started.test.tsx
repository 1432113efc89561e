// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { firstSteps, type GettingStarted as Started } from '#domain/getting-started/contract.ts';
import { GettingStarted } from '#web/getting-started/getting-started.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';
import { someRoom } from '#web/testing/some.ts';

const admin = { ...ada, role: 'ORGADMIN' as const };
const started = (done: readonly string[], more: Partial<Started> = {}) => ({
  done: Object.fromEntries(firstSteps.map((step) => [step, done.includes(step)])),
  isShown: true,
  samplesLoadedAt: null,
  ...more,
});
const serve = (answer: object, more = {}) =>
  fakeServer({
    'GET /api/getting-started': answer,
    'GET /api/rooms': [],
    'PUT /api/getting-started': null,
    ...more,
  });
const sent = (asked: ReturnType<typeof fakeServer>, method: string) =>
  asked.filter((request) => request.method === method);

test('a new organization sees six open steps, each with a way to take it', async () => {
  serve(started([]));
  show(<GettingStarted />, { user: admin });
  expect(await screen.findByText('0 of 6 steps done')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(6);
  expect(screen.getByRole('button', { name: 'Choose a template' })).toBeTruthy();
  for (const [name, path] of [
    ['Write your own', '/app/playbooks?new'],
    ['Test devices', '/app/devices'],
    ['Invite', '/app/settings/team?invite'],
  ] as const)
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
  expect(screen.getAllByText('Create a room first.')).toHaveLength(2);
});

test('with a room, its link can be copied and its call joined; a sample room offers neither', async () => {
  serve(started(['room']), { 'GET /api/rooms': [someRoom({ sample: true })] });
  const { unmount } = show(<GettingStarted />, { user: admin });
  expect(await screen.findAllByText('Create a room first.')).toHaveLength(2);
  unmount();
  serve(started(['room']), { 'GET /api/rooms': [someRoom()] });
  show(<GettingStarted />, { user: admin });
  expect(await screen.findByRole('link', { name: 'Join your room' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy guest link' })).toBeTruthy();
});

test('it is dismissed by one click, which says where it is from then on', async () => {
  const asked = serve(started(['room']));
  const { by } = show(<GettingStarted />, { user: admin });
  await by.click(await screen.findByRole('button', { name: 'Hide getting started' }));
  expect(await screen.findByText('You can find it in your account menu.')).toBeTruthy();
  await waitFor(() =>
    expect(sent(asked, 'PUT').map(({ body }) => body)).toEqual([{ step: 'dismissed' }]),
  );
});

test('a dismissed list is shown where the address asks for it', async () => {
  serve(started(['room'], { isShown: false }));
  const { unmount } = show(<GettingStarted />, { user: admin });
  await waitFor(() => expect(screen.queryByText('Getting started')).toBe(null));
  unmount();
  show(<GettingStarted />, { path: '/app?start', user: admin });
  expect(await screen.findByText('Getting started')).toBeTruthy();
});

test('a viewer is not asked about it', async () => {
  const asked = serve(started([]));
  show(<GettingStarted />, { user: { ...ada, role: 'VIEWER' } });
  await waitFor(() => expect(asked).toEqual([]));
  expect(screen.queryByText('Getting started')).toBe(null);
});

test('an admin loads samples by one click and removes them by one; an agent is not offered it', async () => {
  const asked = serve(started([]), { 'POST /api/samples': { loadedAt: '2026-11-24T12:00:00Z' } });
  const { by, unmount } = show(<GettingStarted />, { user: admin });
  await by.click(await screen.findByRole('button', { name: 'Load sample data' }));
  await waitFor(() => expect(sent(asked, 'POST')[0]?.body).toEqual({ language: 'en' }));
  unmount();
  const hidden = { isShown: false, samplesLoadedAt: '2026-11-24T12:00:00Z' };
  const later = serve(started([], hidden), { 'DELETE /api/samples': null });
  const { by: again, unmount: leave } = show(<GettingStarted />, { user: admin });
  await again.click(await screen.findByRole('button', { name: 'Remove sample data' }));
  expect(await screen.findByText('Sample data removed')).toBeTruthy();
  expect(sent(later, 'DELETE')).toHaveLength(1);
  leave();
  serve(started([]));
  show(<GettingStarted />);
  await screen.findByText('Your admin can invite teammates.');
  expect(screen.queryByRole('button', { name: 'Load sample data' })).toBe(null);
});

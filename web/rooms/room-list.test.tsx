// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RoomList } from '#web/rooms/room-list.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';
import { somePlaybook, someRoom } from '#web/testing/some.ts';

const link = (token: string) => ({ url: `https://x/join/${token}`, createdAt: '' });

test('a card shows the room: topic, age, creator, playbook, calls and the Join button', async () => {
  const { id, title } = somePlaybook([], 'Renewal');
  const createdAt = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const room = someRoom({ createdAt, playbook: { id, title }, callCount: 1 });
  fakeServer({ 'GET /api/rooms': [room] });
  show(<RoomList />);
  expect(await screen.findByRole('heading', { name: room.topic })).toBeTruthy();
  expect(screen.getByText('Created 3 hours ago by Ada')).toBeTruthy();
  expect(screen.getByText('Renewal')).toBeTruthy();
  expect(screen.getByText('1 call')).toBeTruthy();
  expect(screen.getByText('active', { selector: '[data-look]' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Join Call' }).getAttribute('href')).toBe(
    `/app/rooms/${room.id}/call`,
  );
});

test('a creator without a first name is shown by email', async () => {
  fakeServer({
    'GET /api/rooms': [someRoom({ createdBy: { firstName: '', email: 'ada@example.com' } })],
  });
  show(<RoomList />);
  expect(await screen.findByText(/by ada@example\.com$/)).toBeTruthy();
});

test('no rooms: a text shows, with a button to create the first for people who may', async () => {
  fakeServer({ 'GET /api/rooms': [] });
  const create = vi.fn();
  const { by, unmount } = show(<RoomList onCreate={create} />);
  expect(await screen.findByText('No rooms yet')).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Create Your First Room' }));
  expect(create).toHaveBeenCalledOnce();
  unmount();
  show(<RoomList />, { user: { ...ada, role: 'VIEWER' } });
  expect(await screen.findByText('No rooms yet')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Create/ })).toBe(null);
});

test('rooms that could not be loaded can be loaded again', async () => {
  let works = false;
  fakeServer({
    'GET /api/rooms': () => (works ? [someRoom()] : refusal(500, { message: 'Down' })),
  });
  const { by } = show(<RoomList />);
  expect(await screen.findByText('Down')).toBeTruthy();
  works = true;
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Onboarding with Acme')).toBeTruthy();
});

test('a link that the browser does not copy is shown for copying by hand', async () => {
  const room = someRoom();
  fakeServer({ 'GET /api/rooms': [room], [`GET /api/rooms/${room.id}/guest-link`]: link('abc') });
  vi.stubGlobal('ClipboardItem', undefined);
  const { by } = show(<RoomList />);
  const button = await screen.findByRole('button', { name: 'Copy guest link' });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await by.click(button);
  expect(await screen.findByDisplayValue('https://x/join/abc')).toBeTruthy();
});

test('renewing asks first, then copies the new link', async () => {
  const room = someRoom();
  const path = `/api/rooms/${room.id}/guest-link`;
  const asked = fakeServer({ 'GET /api/rooms': [room], [`POST ${path}`]: link('new') });
  vi.stubGlobal('ClipboardItem', undefined);
  const { by } = show(<RoomList />);
  await by.click(await screen.findByRole('button', { name: 'Renew link' }));
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const dialog = within(screen.getByRole('alertdialog'));
  expect(dialog.getByText(/will stop working immediately/)).toBeTruthy();
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
  await by.click(dialog.getByRole('button', { name: 'Renew link' }));
  expect(await screen.findByText('Guest link renewed')).toBeTruthy();
  expect(copied).toHaveBeenCalledWith('https://x/join/new');
});

test('a viewer can join but not share links', async () => {
  fakeServer({ 'GET /api/rooms': [someRoom()] });
  show(<RoomList />, { user: { ...ada, role: 'VIEWER' } });
  expect(await screen.findByRole('link', { name: 'Join Call' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /link/ })).toBe(null);
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RoomList } from '#web/rooms/room-list.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';
import { somePlaybook, someRoom } from '#web/testing/some.ts';

const room = someRoom();
const path = `/api/rooms/${room.id}`;
const address = () => screen.getByTestId('address').textContent;
const dialog = () => within(screen.getByRole('dialog'));

async function chooseFromMenu(by: ReturnType<typeof show>['by'], item: string) {
  await by.click(await screen.findByRole('button', { name: `More options for ${room.topic}` }));
  await by.click(await screen.findByRole('menuitem', { name: item }));
}

test('Edit sends only the changed fields, and the dialog is in the address', async () => {
  const asked = fakeServer({
    'GET /api/rooms': [room],
    'GET /api/playbooks': [somePlaybook(['Greet'])],
    [`PATCH ${path}`]: room,
  });
  const { by } = show(<RoomList />, { path: '/app/rooms' });
  await chooseFromMenu(by, 'Edit');
  const topic = await screen.findByLabelText('Room Topic');
  expect(address()).toBe(`/app/rooms?edit=${room.id}`);
  expect(topic).toHaveProperty('value', room.topic);
  await by.clear(topic);
  await by.type(topic, 'Renewal');
  await by.click(dialog().getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Room updated')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ topic: 'Renewal' });
  await waitFor(() => expect(address()).toBe('/app/rooms'));
});

test('removing the playbook is sent as null', async () => {
  const playbook = somePlaybook(['Greet']);
  const asked = fakeServer({
    'GET /api/rooms': [{ ...room, playbookId: playbook.id, playbook }],
    'GET /api/playbooks': [],
    [`PATCH ${path}`]: room,
  });
  const { by } = show(<RoomList />, { path: `/app/rooms?edit=${room.id}` });
  const choice = await screen.findByRole<HTMLSelectElement>('combobox');
  expect(choice.value, 'an archived playbook stays the room’s').toBe(playbook.id);
  await by.selectOptions(choice, 'No playbook');
  await by.click(dialog().getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ playbookId: null }),
  );
});

test('Archive asks first, and a refusal is shown', async () => {
  const message = 'A call is in progress in this room. End it first, then archive the room.';
  const asked = fakeServer({
    'GET /api/rooms': [room],
    [`PUT ${path}/archive`]: () => refusal(409, { message }),
  });
  const { by } = show(<RoomList />);
  await chooseFromMenu(by, 'Archive');
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  await by.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Archive' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

test('an archived room shows when and by whom, cannot be joined, and can be restored', async () => {
  const archived = someRoom({
    status: 'archived',
    archivedAt: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    archivedBy: { firstName: 'Ben', email: 'ben@example.com' },
  });
  const asked = fakeServer({ 'GET /api/rooms': [archived], [`DELETE ${path}/archive`]: room });
  const { by } = show(<RoomList />, { path: '/app/rooms?status=archived' });
  expect(await screen.findByText('Archived 3 hours ago by Ben')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Join Call' })).toBe(null);
  expect(screen.queryByRole('button', { name: 'Copy guest link' })).toBe(null);
  await chooseFromMenu(by, 'Restore');
  expect(await screen.findByText('Room restored')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('a search without a match shows a text, and does not offer to create the first room', async () => {
  fakeServer({ 'GET /api/rooms': [] });
  const { by } = show(<RoomList onCreate={() => {}} />, { path: '/app/rooms' });
  expect(await screen.findByText('No rooms yet')).toBeTruthy();
  await by.type(screen.getByRole('searchbox', { name: 'Search rooms' }), 'globex');
  expect(await screen.findByText(/No rooms match “globex”/)).toBeTruthy();
  await waitFor(() => expect(address()).toBe('/app/rooms?q=globex'));
  expect(screen.queryByRole('button', { name: 'Create Your First Room' })).toBe(null);
});

test('a viewer has no menu', async () => {
  fakeServer({ 'GET /api/rooms': [room] });
  show(<RoomList />, { user: { ...ada, role: 'VIEWER' } });
  expect(await screen.findByRole('heading', { name: room.topic })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^More options for/ })).toBe(null);
});

test('switching a room’s lobby off sends only that field', async () => {
  const asked = fakeServer({
    'GET /api/rooms': [{ ...room, lobbySince: '2026-01-01T10:00:00.000Z' }],
    'GET /api/playbooks': [],
    [`PATCH ${path}`]: room,
  });
  const { by } = show(<RoomList />, { path: `/app/rooms?edit=${room.id}` });
  const lobby = await screen.findByRole<HTMLInputElement>('switch', { name: /Lobby/ });
  expect(lobby.checked).toBe(true);
  await by.click(lobby);
  await by.click(dialog().getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ lobby: false }),
  );
});

// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { playbookId } from '#domain/ids.ts';
import { listRooms } from '#domain/rooms/contract.ts';
import { reading } from '#web/platform/query-client.ts';
import { CreateRoomDialog } from '#web/rooms/create-room-dialog.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId, toastLook } from '#web/testing/show.tsx';
import { somePlaybook, someRoom } from '#web/testing/some.ts';

const playbook = somePlaybook(['Hello']);
async function open() {
  const shown = show(<CreateRoomDialog />, { path: '/app/rooms?room' });
  await screen.findByRole('dialog');
  return shown;
}
const submit = () => screen.getByRole('button', { name: 'Create & Join' });

test('a room without a topic is not sent', async () => {
  const asked = fakeServer({ 'GET /api/playbooks': [] });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), '   ');
  await by.click(submit());
  expect(await screen.findByText('Topic is required')).toBeTruthy();
  expect(screen.getByLabelText('Room Topic').getAttribute('aria-invalid')).toBe('true');
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('No playbook is sent as absent, and the person goes to the call', async () => {
  const room = someRoom();
  const asked = fakeServer({ 'GET /api/playbooks': [playbook], 'POST /api/rooms': room });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), ' Acme ');
  await by.click(submit());
  expect(await screen.findByText('Room created successfully')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe(`/app/rooms/${room.id}/call`),
  );
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ topic: 'Acme' });
});

test('after a room is created, lists of rooms are fetched again where they are shown next', async () => {
  fakeServer({ 'GET /api/playbooks': [], 'POST /api/rooms': someRoom() });
  const { by, queryClient } = await open();
  const { queryKey } = reading(listRooms, {});
  queryClient.setQueryData(queryKey, []);
  await by.type(screen.getByLabelText('Room Topic'), 'Acme');
  await by.click(submit());
  await screen.findByText('Room created successfully');
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test('R13-4: playbooks beyond a page that ended early can be chosen, too', async () => {
  const later = { ...playbook, id: playbookId.parse(someId(2)), title: 'Later' };
  fakeServer({
    'GET /api/playbooks': ({ query }) =>
      query.includes('before=')
        ? [later]
        : Response.json([playbook], {
            headers: { link: `</api/playbooks?limit=200&before=${playbook.id}>; rel="next"` },
          }),
  });
  await open();
  expect(await screen.findByRole('option', { name: playbook.title })).toBeTruthy();
  expect(await screen.findByRole('option', { name: 'Later' })).toBeTruthy();
});

test('choosing a playbook and then No playbook sends none', async () => {
  const asked = fakeServer({ 'GET /api/playbooks': [playbook], 'POST /api/rooms': someRoom() });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), 'Acme');
  await screen.findByRole('option', { name: playbook.title });
  await by.selectOptions(screen.getByRole('combobox'), playbook.title);
  await by.selectOptions(screen.getByRole('combobox'), 'No playbook');
  await by.click(submit());
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ topic: 'Acme' }),
  );
});

test('a chosen playbook is sent with the room', async () => {
  const asked = fakeServer({ 'GET /api/playbooks': [playbook], 'POST /api/rooms': someRoom() });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), 'Acme');
  await screen.findByRole('option', { name: playbook.title });
  await by.selectOptions(screen.getByRole('combobox'), playbook.title);
  await by.click(submit());
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({
      topic: 'Acme',
      playbookId: playbook.id,
    }),
  );
});

test.each([
  [{ details: 'D', message: 'M' }, 'D'],
  [{ message: 'M' }, 'M'],
  [{}, 'Failed to create room'],
])('a refusal with %j shows %s', async (problem, text) => {
  fakeServer({ 'GET /api/playbooks': [], 'POST /api/rooms': () => refusal(400, problem) });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), 'Acme');
  await by.click(submit());
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(toastLook(text)).toBe('destructive');
  expect(screen.getByText(text)).toBeTruthy();
});

test('a room can be created while the playbooks cannot be loaded', async () => {
  fakeServer({ 'GET /api/playbooks': () => refusal(500) });
  await open();
  expect(await screen.findByText(/create the room without one/)).toBeTruthy();
  expect(screen.getByRole('option', { name: 'No playbook' })).toBeTruthy();
});

test('the lobby is a switch, initially off, and is sent with the room when it is on', async () => {
  const asked = fakeServer({ 'GET /api/playbooks': [], 'POST /api/rooms': someRoom() });
  const { by } = await open();
  await by.type(screen.getByLabelText('Room Topic'), 'Acme');
  const lobby = screen.getByRole<HTMLInputElement>('switch', { name: /Lobby/ });
  expect(lobby.checked).toBe(false);
  await by.click(lobby);
  await by.click(submit());
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({
      topic: 'Acme',
      lobby: true,
    }),
  );
});

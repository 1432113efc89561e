// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { isSigningInAgain, redirectDelayMs } from '#web/platform/unauthorized.ts';
import { CreateRoomDialog } from '#web/rooms/create-room-dialog.tsx';
import { fakeServer, refusal, signedOut } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someRoom } from '#web/testing/some.ts';

async function open(user = ada) {
  const shown = show(<CreateRoomDialog />, { path: '/app/rooms?room', user });
  await screen.findByRole('dialog');
  // The form is loaded after its dialog.
  await screen.findByLabelText('Room Topic');
  return shown;
}
const topic = () => screen.getByLabelText<HTMLInputElement>('Room Topic');
const submit = () => screen.getByRole('button', { name: 'Create & Join' });
const isOpen = () => screen.queryByRole('dialog') !== null;
const posts = (asked: ReturnType<typeof fakeServer>) =>
  asked.filter(({ method }) => method === 'POST');

test('a form without input closes without asking', async () => {
  fakeServer({ 'GET /api/playbooks': [] });
  const { by } = await open();
  await by.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(isOpen()).toBe(false));
});

test.each([
  ['Cancel', (by: Awaited<ReturnType<typeof open>>['by']) => by.click(screen.getByText('Cancel'))],
  ['Escape', (by: Awaited<ReturnType<typeof open>>['by']) => by.keyboard('{Escape}')],
  [
    'the cross',
    (by: Awaited<ReturnType<typeof open>>['by']) => by.click(screen.getByLabelText('Close')),
  ],
])(
  '%s asks once something was typed, and keeps it unless the person discards it',
  async (_, close) => {
    fakeServer({ 'GET /api/playbooks': [] });
    const { by } = await open();
    await by.type(topic(), 'Acme');
    await close(by);
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('Discard your changes?')).toBeTruthy();
    await by.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(topic().value).toBe('Acme');
    await close(by);
    await by.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(isOpen()).toBe(false));
    expect(Object.keys(sessionStorage)).toEqual([]);
  },
);

test('input that was deleted again closes without asking', async () => {
  fakeServer({ 'GET /api/playbooks': [] });
  const { by } = await open();
  await by.type(topic(), 'A{Backspace}');
  await by.keyboard('{Escape}');
  await waitFor(() => expect(isOpen()).toBe(false));
});

test('while there is input the browser asks before the page is closed', async () => {
  fakeServer({ 'GET /api/playbooks': [] });
  const { by } = await open();
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  await by.type(topic(), 'Acme');
  expect(leave()).toBe(true);
});

test('a double click, and holding Enter, send one request', async () => {
  let answer = (_: Response) => {};
  const asked = fakeServer({
    'GET /api/playbooks': [],
    'POST /api/rooms': () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  });
  const { by } = await open();
  await by.type(topic(), 'Acme');
  const button = submit();
  button.click();
  button.click();
  await by.dblClick(button);
  await by.type(topic(), '{Enter}{Enter}');
  await waitFor(() => expect(posts(asked).length).toBe(1));
  answer(Response.json(someRoom(), { status: 201 }));
  await screen.findByText('Room created successfully');
  expect(posts(asked).length).toBe(1);
});

test('without a network no input is lost, and trying again sends it', async () => {
  let works = false;
  const asked = fakeServer({
    'GET /api/playbooks': [],
    'POST /api/rooms': () => {
      if (works) return someRoom();
      throw new TypeError('Failed to fetch');
    },
  });
  const { by } = await open();
  await by.type(topic(), 'Acme');
  await by.click(submit());
  expect(await screen.findByText('We couldn’t reach the server.')).toBeTruthy();
  expect(topic().value).toBe('Acme');
  works = true;
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Room created successfully')).toBeTruthy();
  expect(posts(asked).map(({ body }) => body)).toEqual([{ topic: 'Acme' }, { topic: 'Acme' }]);
});

test('a field that the server refuses shows the reason', async () => {
  const message = 'Please use at most 200 characters';
  fakeServer({
    'GET /api/playbooks': [],
    'POST /api/rooms': () => refusal(400, { errors: [{ path: 'topic', message }] }),
  });
  const { by } = await open();
  await by.type(topic(), 'Acme');
  await by.click(submit());
  expect(await screen.findByText(message)).toBeTruthy();
  expect(topic().getAttribute('aria-invalid')).toBe('true');
});

test('an expired session leads to sign-in without asking, and the input is restored afterwards', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  fakeServer({ 'GET /api/playbooks': [], 'POST /api/rooms': signedOut });
  const { by, unmount } = await open();
  await by.type(topic(), 'Acme');
  await by.click(submit());
  expect(await screen.findByText('You are logged out. Logging in again...')).toBeTruthy();
  expect(isSigningInAgain()).toBe(true);
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  await waitFor(() => expect(assign).toHaveBeenCalled(), { timeout: redirectDelayMs * 4 });
  unmount();

  await open();
  expect(topic().value).toBe('Acme');
  expect(screen.getByText('We restored what you typed earlier.')).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Start over' }));
  expect(topic().value).toBe('');
});

test('another account at the same computer does not find the input', async () => {
  fakeServer({ 'GET /api/playbooks': [] });
  const { by, unmount } = await open();
  await by.type(topic(), 'Secret');
  unmount();
  await open({ ...ada, id: someId(9) as typeof ada.id }); // an id of the test's own
  expect(topic().value).toBe('');
});

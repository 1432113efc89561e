// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { attendance, rating } from '#domain/calls/contract.ts';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someCallDetails, somePlaybook } from '#web/testing/some.ts';

const playbook = somePlaybook(['Say hello', 'Agree']);
const [first] = playbook.checklistItems;
const call = someCallDetails({
  playbook: { id: playbook.id, title: playbook.title },
  checklistItems: playbook.checklistItems,
  checklistStateJson: { [first?.id ?? '']: true },
  notesSnapshot: 'They want 50 seats.\nBy March.',
  npsScore: 9,
  attendances: [
    attendance.parse({
      id: someId(1),
      kind: 'guest',
      accountId: null,
      name: 'Grace',
      avatar: null,
      joinedAt: '2026-03-04T10:00:00Z',
      leftAt: '2026-03-04T10:05:00Z',
    }),
  ],
  ratings: [
    rating.parse({
      id: someId(2),
      kind: 'staff',
      name: 'Ada Lovelace',
      score: 9,
      feedback: 'Went well',
      ratedAt: '2026-03-04T10:06:00Z',
    }),
    rating.parse({
      id: someId(3),
      kind: 'guest',
      name: 'Grace',
      score: 4,
      feedback: 'Too long',
      ratedAt: '2026-03-04T10:07:00Z',
    }),
  ],
});
const path = `/app/calls/${call.id}`;
const patient = { timeout: 5000 };

function open(answer: object = call, user = ada, at = path) {
  fakeServer({ [`GET /api/calls/${call.id}`]: answer });
  return show(<AppRoutes />, { path: at, user });
}
const part = (title: string) => {
  const section = screen.getByRole('heading', { name: title, level: 2 }).closest('section');
  return within(section ?? document.body);
};

test('a call page shows room, state, length, score, participants, checklist and notes', async () => {
  open();
  expect(
    await screen.findByRole('heading', { name: 'Onboarding with Acme', level: 1 }, patient),
  ).toBeTruthy();
  expect(screen.getByText('Completed')).toBeTruthy();
  expect(screen.getByText('Duration 5m 0s')).toBeTruthy();
  expect(screen.getByText(/^Started /)).toBeTruthy();
  expect(part('Participants').getByText('Grace')).toBeTruthy();
  expect(part('Participants').getByText('Guest')).toBeTruthy();
  const ticks = part('Checklist').getAllByRole('img');
  expect(ticks.map((icon) => icon.getAttribute('aria-label'))).toEqual(['Done', 'Not done']);
  expect(part('Notes').getByText('They want 50 seats.')).toBeTruthy();
  expect(part('Notes').getByText('By March.')).toBeTruthy();
});

test('scores of the team and of the customer are listed separately', async () => {
  open();
  await screen.findByRole('heading', { name: 'Scores and feedback' }, patient);
  const team = within(
    screen.getByRole('heading', { name: 'Rated by your team' }).parentElement ?? document.body,
  );
  expect(team.getByText('Went well')).toBeTruthy();
  expect(team.queryByText('Too long')).toBe(null);
  const customers = within(screen.getByText('Customers').parentElement ?? document.body);
  expect(customers.getByText('Too long')).toBeTruthy();
});

test('chat messages are shown as text with links, names and times; without any there is no section', async () => {
  const path = `GET /api/calls/${call.id}`;
  const written = {
    id: someId(80),
    from: 'guest:1',
    kind: 'guest',
    name: 'Grace',
    text: 'See <b>page 2</b>\nof https://example.com',
    sentAt: '2026-03-04T10:02:00Z',
  };
  fakeServer({ [path]: call, [`${path}/chat`]: [written] });
  const { unmount } = show(<AppRoutes />, { path: `/app/calls/${call.id}` });
  const link = await screen.findByRole('link', { name: 'https://example.com' }, patient);
  expect(link.parentElement?.textContent).toBe(written.text);
  expect(link.parentElement?.children).toHaveLength(1);
  expect(part('Chat').getByText('Grace')).toBeTruthy();
  expect(part('Chat').getByRole('listitem').querySelector('time')?.dateTime).toBe(written.sentAt);
  unmount();
  fakeServer({ [path]: call, [`${path}/chat`]: [] });
  show(<AppRoutes />, { path: `/app/calls/${call.id}` });
  await screen.findByText('Completed', {}, patient);
  expect(screen.queryByRole('heading', { name: 'Chat' })).toBe(null);
});

test('the link and the notes can be copied', async () => {
  vi.stubGlobal('ClipboardItem', undefined);
  const { by } = open();
  await screen.findByRole('button', { name: 'Copy notes' }, patient);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await by.click(screen.getByRole('button', { name: 'Copy notes' }));
  expect(await screen.findByText('Notes copied')).toBeTruthy();
  expect(copied).toHaveBeenLastCalledWith('They want 50 seats.\nBy March.');
  await by.click(screen.getByRole('button', { name: 'Copy link to this call' }));
  expect(copied).toHaveBeenLastCalledWith(`${window.location.origin}${path}`);
});

test('a running call can be joined from its page, except in an archived room', async () => {
  const running = { ...call, endedAt: null, durationSec: null };
  const { unmount } = open(running);
  const join = await screen.findByRole('link', { name: 'Join Call' }, patient);
  expect(join.getAttribute('href')).toBe(`/app/rooms/${call.roomId}/call`);
  expect(screen.getByText('In Progress')).toBeTruthy();
  unmount();
  open({ ...running, room: { ...running.room, status: 'archived' } });
  await screen.findByText('In Progress', {}, patient);
  expect(screen.queryByRole('link', { name: 'Join Call' })).toBe(null);
});

test.each([`/app/calls/${someId(9)}`, '/app/calls/no-id'])(
  '%s: the page shows that the call does not exist',
  async (at) => {
    open(call, ada, at);
    expect(await screen.findByText('This call doesn’t exist', {}, patient)).toBeTruthy();
  },
);

test('a call that could not be loaded can be loaded again', async () => {
  open(refusal(500, { message: 'Down' }));
  expect(await screen.findByText('Down', {}, patient)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('a call can be scored from its page, but not by a viewer', async () => {
  const { by, unmount } = open();
  await by.click(await screen.findByRole('button', { name: 'Rate this call' }, patient));
  expect(await screen.findByText('Rate from 0 (not likely) to 10 (extremely likely)')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe(`${path}?rate=`);
  unmount();
  open(call, { ...ada, role: 'VIEWER' });
  await screen.findByText('Completed', {}, patient);
  expect(screen.queryByRole('button', { name: 'Rate this call' })).toBe(null);
});

test.each([
  [{}, 0],
  [{ legalHold: true }, 1],
])('a call with %o shows %i marks of a legal hold', async (more, marks) => {
  open({ ...call, ...more });
  await screen.findByRole('heading', { name: call.room.topic, level: 1 }, patient);
  expect(screen.queryAllByText('Under legal hold')).toHaveLength(marks);
});

// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { participantId } from '#domain/ids.ts';
import type { EarlierDecision } from '#domain/notices/contract.ts';
import { type CalledRoom, WaitingCard } from '#web/notices/waiting-card.tsx';
import { type Asked, fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';

const path = `/api/rooms/${someId(5)}/lobby-decisions`;
const guest = (n: number, name: string) => ({
  id: someId(n),
  name,
  since: new Date().toISOString(),
});
const samuel = guest(7, 'Samuel');
const tina = guest(8, 'Tina');
const room = (changed: Partial<CalledRoom> = {}): CalledRoom => ({
  roomId: someId(5),
  topic: 'Review',
  call: { startedAt: new Date().toISOString(), people: 1, isHosted: true },
  waiting: 1,
  guests: [samuel],
  ...changed,
});
const address = () => screen.getByTestId('address').textContent;

function answering(answer: { decided?: string[]; earlier?: EarlierDecision[] }): Asked[] {
  return fakeServer({ [`POST ${path}`]: { decided: [], earlier: [], ...answer } });
}

test('a guest is admitted by one click, and the agent stays where a colleague is in the call', async () => {
  const asked = answering({ decided: [samuel.id] });
  const { by } = show(<WaitingCard rooms={[room()]} />, { path: '/app/analytics' });
  expect(screen.getByRole('status').textContent).toBe('Samuel is waiting');
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  expect(await screen.findByText('Samuel is joining Review')).toBeTruthy();
  expect(asked[0]?.body).toEqual({ guests: [samuel.id], decision: 'admitted' });
  expect(address()).toBe('/app/analytics');
});

test('where no one of the team is in the call, who admits goes there; who denies does not', async () => {
  answering({ decided: [samuel.id] });
  const { by } = show(<WaitingCard rooms={[room({ call: null })]} />);
  await by.click(screen.getByRole('button', { name: 'Deny Samuel' }));
  expect(await screen.findByText('Samuel can’t join Review')).toBeTruthy();
  expect(address()).toBe('/app');
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  await waitFor(() => expect(address()).toBe(`/app/rooms/${someId(5)}/call`));
});

test.each([
  [{ decision: 'admitted', by: 'Ada' }, 'Samuel was already admitted by Ada'],
  [{ decision: 'refused', by: 'Ada' }, 'Samuel was already denied by Ada'],
  [{ decision: 'admitted', by: null }, 'Samuel was already admitted'],
] as const)('who comes second is told who was first: %o', async (earlier, text) => {
  const one = { guest: participantId.parse(samuel.id), name: 'Samuel', isOwn: false };
  answering({ earlier: [{ ...one, ...earlier }] });
  const { by } = show(<WaitingCard rooms={[room()]} />);
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  expect(await screen.findByText(text)).toBeTruthy();
});

test('the same person on another device is told nothing', async () => {
  const one = { guest: participantId.parse(samuel.id), name: 'Samuel', by: 'Ada', isOwn: true };
  const asked = answering({ earlier: [{ ...one, decision: 'admitted' }] });
  const { by } = show(<WaitingCard rooms={[room()]} />);
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByText(/already/)).toBe(null);
});

test('several guests are listed by room, with a way to admit all of one', async () => {
  const asked = answering({ decided: [samuel.id, tina.id] });
  const other = room({ roomId: someId(6), topic: 'Kick-off', guests: [guest(9, 'Uwe')] });
  const rooms = [room({ waiting: 4, guests: [samuel, tina] }), other];
  const { by } = show(<WaitingCard rooms={rooms} />);
  expect(screen.getByRole('status').textContent).toBe('5 guests are waiting');
  expect(screen.getByText('2 more are waiting')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View Kick-off' }).getAttribute('href')).toBe(
    `/app/rooms/${someId(6)}/call`,
  );
  await by.click(screen.getByRole('button', { name: 'Admit all' }));
  expect(await screen.findByText('2 guests are joining Review')).toBeTruthy();
  expect(asked[0]?.body).toMatchObject({ guests: [samuel.id, tina.id] });
});

test('a guest who is in the room already needs no admission, and the agent joins', () => {
  const inside = { ...samuel, isInside: true };
  show(<WaitingCard rooms={[room({ call: null, guests: [inside] })]} />);
  expect(screen.getByText(/in the room/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Admit|Deny/ })).toBe(null);
  expect(screen.getByRole('link', { name: 'Join Review' }).getAttribute('href')).toBe(
    `/app/rooms/${someId(5)}/call`,
  );
});

test('markup in a name is shown as text', () => {
  show(<WaitingCard rooms={[room({ guests: [guest(7, '<img src=x onerror=alert(1)>')] })]} />);
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  expect(document.querySelector('img')).toBe(null);
});

test('a guest who has left in the meantime, and a failure, are said', async () => {
  fakeServer({ [`POST ${path}`]: refusal(404, { message: 'We couldn’t find that.' }) });
  const { by } = show(<WaitingCard rooms={[room()]} />);
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  expect(await screen.findByText('This guest is no longer waiting.')).toBeTruthy();
  fakeServer({ [`POST ${path}`]: refusal(500) });
  await by.click(screen.getByRole('button', { name: 'Admit Samuel' }));
  expect(await screen.findByText(/^We couldn’t save your decision/)).toBeTruthy();
});

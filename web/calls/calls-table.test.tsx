// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accountId, callId } from '#domain/ids.ts';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { RecentCalls } from '#web/calls/recent-calls.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCall } from '#web/testing/some.ts';

const cells = (changed: Parameters<typeof someCall>[0]) => {
  const { unmount } = show(<CallsTable label="Calls" calls={[someCall(changed)]} />);
  const [, row] = screen.getAllByRole('row');
  const texts = [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
  const look = row?.querySelector('td:nth-child(4) [data-look]')?.getAttribute('data-look');
  unmount();
  return { texts, look };
};

test('the columns are those of the specification', () => {
  show(<CallsTable label="Calls" calls={[]} />);
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Room',
    'Duration',
    'Participants',
    'NPS',
    'Status',
    'Actions',
  ]);
});

test('a duration is minutes and seconds, seconds alone, or 0s', () => {
  expect(cells({ durationSec: 125 }).texts[1]).toBe('2m 5s');
  expect(cells({ durationSec: 59 }).texts[1]).toBe('59s');
  expect(cells({ durationSec: null }).texts[1]).toBe('0s');
  expect(cells({ durationSec: 90_000 }).texts[1]).toBe('1500m 0s');
});

test('a call is in progress until it has an end', () => {
  expect(cells({ endedAt: null }).texts[4]).toBe('In Progress');
  expect(cells({}).texts[4]).toBe('Completed');
});

test.each([
  [10, 'default'],
  [9, 'default'],
  [8, 'secondary'],
  [7, 'secondary'],
  [6, 'destructive'],
  [0, 'destructive'],
])('a score of %i has the %s look', (npsScore, look) => {
  expect(cells({ npsScore })).toMatchObject({ look });
});

test('a call without a guest is marked as internal', () => {
  expect(cells({ internal: true }).texts[0]).toContain('Onboarding with AcmeInternal');
  expect(cells({}).texts[0]).not.toContain('Internal');
});

test('when a call started, and who started it, stands under its room', () => {
  const agent = { id: accountId.parse(someId(9)), name: 'Ada Lovelace' };
  expect(cells({ agent }).texts[0]).toBe(
    'Onboarding with AcmeMar 4, 2026, 10:00 AM · Ada Lovelace',
  );
});

test('a click on a row opens its call, and the room’s name is a link for the keyboard', async () => {
  const call = someCall();
  const { by } = show(<CallsTable label="Calls" calls={[call]} />);
  await by.click(screen.getByText('5m 0s'));
  expect(screen.getByTestId('address').textContent).toBe(`/app/calls/${call.id}`);
  const name = screen.getByRole('link', { name: 'Onboarding with Acme' });
  expect(name.getAttribute('href')).toBe(`/app/calls/${call.id}`);
});

test('a title of a column orders the rows, and says how they are ordered', async () => {
  const onSort = vi.fn();
  const { by } = show(<CallsTable label="Calls" calls={[]} sort={{ by: 'longest', onSort }} />);
  const title = screen.getByRole('columnheader', { name: 'Duration' });
  expect(title.getAttribute('aria-sort')).toBe('descending');
  await by.click(screen.getByRole('button', { name: 'Duration' }));
  await by.click(screen.getByRole('button', { name: 'NPS' }));
  expect(onSort.mock.calls).toEqual([['shortest'], ['highest']]);
});

test('a score says who gave it', () => {
  expect(cells({ npsScore: 9 }).texts[3]).toBe('9Rated by your team');
});

test('a missing score is a dash', () => {
  expect(cells({ npsScore: null }).texts[3]).toBe('-');
});

test('three people are shown, and the number of the others', () => {
  const participantsJson = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, avatar: null }));
  expect(cells({ participantsJson }).texts[2]).toBe('A, B, C, D, EABC+2');
});

test('View links to the call’s page', () => {
  const call = someCall();
  show(<CallsTable label="Calls" calls={[call]} />);
  const view = screen.getByRole('link', { name: 'View the call in Onboarding with Acme' });
  expect(view.textContent).toBe('View');
  expect(view.getAttribute('href')).toBe(`/app/calls/${call.id}`);
});

test('recent calls are five at most, with a text if there are none', async () => {
  const calls = Array.from({ length: 7 }, (_, at) =>
    someCall({ id: callId.parse(someId(100 + at)) }),
  );
  fakeServer({ 'GET /api/calls': calls });
  const { unmount } = show(<RecentCalls />);
  expect((await screen.findAllByRole('row')).length).toBe(1 + 5);
  expect(screen.queryByText('View All')).toBe(null);
  unmount();
  fakeServer({ 'GET /api/calls': [] });
  show(<RecentCalls />);
  expect(await screen.findByText('No calls recorded yet')).toBeTruthy();
});

// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { callId } from '#domain/ids.ts';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { RecentCalls } from '#web/calls/recent-calls.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCall, somePlaybook } from '#web/testing/some.ts';

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

test('a missing score is a dash', () => {
  expect(cells({ npsScore: null }).texts[3]).toBe('-');
});

test('three people are shown, and how many more there were', () => {
  const participantsJson = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, avatar: null }));
  expect(cells({ participantsJson }).texts[2]).toBe('A, B, C, D, EABC+2');
});

test('View shows what was written down', async () => {
  const { checklistItems } = somePlaybook(['Say hello', 'Agree']);
  const first = checklistItems[0]?.id ?? '';
  const call = someCall({
    checklistItems,
    checklistStateJson: { [first]: true },
    notesSnapshot: 'They want 50 seats.\nBy March.',
  });
  const { by } = show(<CallsTable label="Calls" calls={[call]} />);
  await by.click(screen.getByRole('button', { name: /^View/ }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/They want 50 seats/)).toBeTruthy();
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Say hello',
    'Agree',
  ]);
  expect(dialog.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'))).toEqual([
    'Done',
    'Not done',
  ]);
});

test('recent calls are five at most; none says so', async () => {
  const calls = Array.from({ length: 7 }, (_, at) =>
    someCall({ id: callId.parse(someId(100 + at)) }),
  );
  fakeServer({ 'GET /api/calls': calls });
  const { unmount } = show(<RecentCalls />);
  expect((await screen.findAllByRole('row')).length).toBe(1 + 5);
  unmount();
  fakeServer({ 'GET /api/calls': [] });
  show(<RecentCalls />);
  expect(await screen.findByText('No calls recorded yet')).toBeTruthy();
});

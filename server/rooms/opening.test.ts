import { Temporal } from 'temporal-polyfill';
import { expect, test, vi } from 'vitest';
import { isTimeZone, type OpeningHours, openingHours } from '#domain/rooms/opening-hours.ts';
import { openingAt } from './opening.ts';

const nineToFive = [{ from: '09:00', to: '17:00' }];
const berlin = (week: OpeningHours['week'], closedDays: string[] = []): OpeningHours => ({
  timeZone: 'Europe/Berlin',
  week,
  closedDays,
});
const weekdays = berlin([nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, [], []]);
const at = (hours: OpeningHours | null, iso: string) => openingAt(hours, new Date(iso));
const date = (iso: string) => new Date(iso);

test('without opening hours a room is always open', () => {
  expect(at(null, '2026-11-21T10:00:00Z')).toEqual({ isOpen: true, until: null });
});

test('a span includes its first moment and excludes its last', () => {
  const until = date('2026-11-23T16:00:00Z');
  expect(at(weekdays, '2026-11-23T08:00:00Z')).toEqual({ isOpen: true, until });
  expect(at(weekdays, '2026-11-23T15:59:59.999Z')).toEqual({ isOpen: true, until });
  expect(at(weekdays, '2026-11-23T16:00:00Z')).toEqual({
    isOpen: false,
    opensAt: date('2026-11-24T08:00:00Z'),
    closesAt: date('2026-11-24T16:00:00Z'),
  });
});

test('on Friday evening the next opening is Monday morning, and a closed day is skipped', () => {
  const friday = '2026-11-20T20:00:00Z';
  expect(at(weekdays, friday)).toMatchObject({ opensAt: date('2026-11-23T08:00:00Z') });
  const holiday = { ...weekdays, closedDays: ['2026-11-23'] };
  expect(at(holiday, friday)).toMatchObject({ opensAt: date('2026-11-24T08:00:00Z') });
  expect(at(holiday, '2026-11-23T10:00:00Z')).toMatchObject({ isOpen: false });
});

test('two spans a day leave the break closed', () => {
  const split = [
    { from: '09:00', to: '12:00' },
    { from: '13:00', to: '17:00' },
  ];
  const hours = berlin([split, [], [], [], [], [], []]);
  expect(at(hours, '2026-11-23T11:30:00Z')).toMatchObject({
    isOpen: false,
    opensAt: date('2026-11-23T12:00:00Z'),
  });
});

test('spans that meet at midnight are merged, and a room that never closes has no end', () => {
  const late = berlin([
    [{ from: '20:00', to: '24:00' }],
    [{ from: '00:00', to: '02:00' }],
    [],
    [],
    [],
    [],
    [],
  ]);
  expect(at(late, '2026-11-23T21:00:00Z')).toEqual({
    isOpen: true,
    until: date('2026-11-24T01:00:00Z'),
  });
  const always = berlin(Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }]));
  expect(at(always, '2026-11-23T21:00:00Z')).toEqual({ isOpen: true, until: null });
});

test('nine o’clock local time stays nine o’clock across a clock change', () => {
  // Friday before and Monday after the start of summer time 2026 in Berlin.
  expect(at(weekdays, '2026-03-27T07:00:00Z')).toMatchObject({
    opensAt: date('2026-03-27T08:00:00Z'),
  });
  expect(at(weekdays, '2026-03-29T12:00:00Z')).toMatchObject({
    opensAt: date('2026-03-30T07:00:00Z'),
  });
  const newYork = { ...weekdays, timeZone: 'America/New_York' };
  expect(at(newYork, '2026-11-01T12:00:00Z')).toMatchObject({
    opensAt: date('2026-11-02T14:00:00Z'),
  });
});

test('a skipped hour opens when it is over, and a repeated hour is open twice', () => {
  const night = berlin([[], [], [], [], [], [], [{ from: '02:00', to: '04:00' }]]);
  // 29 March 2026: from 02:00 the clock goes to 03:00.
  expect(at(night, '2026-03-29T00:00:00Z')).toEqual({
    isOpen: false,
    opensAt: date('2026-03-29T01:00:00Z'),
    closesAt: date('2026-03-29T02:00:00Z'),
  });
  // 25 October 2026: 02:00 to 03:00 occurs twice.
  expect(at(night, '2026-10-25T00:30:00Z')).toEqual({
    isOpen: true,
    until: date('2026-10-25T03:00:00Z'),
  });
  const skipped = berlin([[], [], [], [], [], [], [{ from: '02:00', to: '03:00' }]]);
  expect(at(skipped, '2026-03-29T00:30:00Z')).toMatchObject({
    opensAt: date('2026-04-05T00:00:00Z'),
  });
});

test('a time zone far ahead uses its own day', () => {
  const auckland = { ...weekdays, timeZone: 'Pacific/Auckland' };
  // Sunday in London, Monday 09:00 in Auckland.
  expect(at(auckland, '2026-11-22T20:00:00Z')).toMatchObject({ isOpen: true });
});

test('only names of the IANA database are time zones', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'])
    expect(isTimeZone(name)).toBe(true);
  for (const name of ['+01:00', 'Europe/Atlantis', '', '<b>', 'Europe/Berlin ', '../etc'])
    expect(isTimeZone(name)).toBe(false);
});

test.each([
  [[{ from: '09:00', to: '09:00' }], 'The end must be after the start'],
  [[{ from: '9:00', to: '10:00' }], 'Please enter a time like 09:00'],
  [[{ from: '24:00', to: '24:00' }], 'Please enter a time like 09:00'],
  [
    [
      { from: '09:00', to: '12:00' },
      { from: '11:00', to: '13:00' },
    ],
    'The second time slot must start after the first ends',
  ],
  [[...nineToFive, ...nineToFive, ...nineToFive], 'Please use at most two time slots per day'],
])('a day of %j is refused: %s', (day, message) => {
  const { error } = openingHours.safeParse(berlin([day, [], [], [], [], [], []]));
  expect(error?.issues.map((issue) => issue.message)).toContain(message);
});

test('a week without any span is refused', () => {
  expect(openingHours.safeParse(berlin([[], [], [], [], [], [], []])).success).toBe(false);
});

test('closed days cost no calculation with time zones', () => {
  const mondays = Array.from({ length: 100 }, (_, week) =>
    Temporal.PlainDate.from('2026-11-23').add({ weeks: week }).toString(),
  );
  const calculated = vi.spyOn(Temporal.PlainDate, 'from');
  const opening = at(berlin([nineToFive, [], [], [], [], [], []], mondays), '2026-11-21T10:00:00Z');
  expect(opening).toEqual({ isOpen: false, opensAt: null, closesAt: null });
  expect(calculated).not.toHaveBeenCalled();
  calculated.mockRestore();
});

test('R32-A4: every time zone that is accepted has opening hours', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const short = letters.flatMap((one) => letters.map((other) => `${one}${other}T`));
  const names = [...Intl.supportedValuesOf('timeZone'), ...short, 'UTC', 'GMT', 'EST5EDT'];
  const accepted = names.filter(isTimeZone);
  expect(accepted).toEqual(expect.arrayContaining(['Europe/Berlin', 'UTC', 'CET', 'EST']));
  const week = Array.from({ length: 7 }, () => [{ from: '09:00', to: '17:00' }]);
  for (const timeZone of accepted) {
    expect(openingAt({ timeZone, week, closedDays: [] }, new Date())).toBeDefined();
  }
  expect(isTimeZone('IST')).toBe(false);
});

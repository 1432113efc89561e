import { expect, test } from 'vitest';
import { isTimeZone, openingHours } from './opening-hours.ts';

type Span = { from: string; to: string };
const week = (monday: Span[]) => [monday, [], [], [], [], [], []];
const messagesOf = (changes: object) =>
  openingHours
    .safeParse({
      timeZone: 'Europe/Berlin',
      week: week([{ from: '09:00', to: '17:00' }]),
      closedDays: [],
      ...changes,
    })
    .error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`) ?? [];

test('two spans that touch, the whole day, and a hundred closed days are allowed', () => {
  const touching = [
    { from: '09:00', to: '12:00' },
    { from: '12:00', to: '24:00' },
  ];
  expect(messagesOf({ week: week(touching) })).toEqual([]);
  expect(messagesOf({ week: week([{ from: '00:00', to: '24:00' }]) })).toEqual([]);
  expect(messagesOf({ closedDays: Array(100).fill('2026-12-24') })).toEqual([]);
});

test.each([
  ['no open day', week([]), 'week: Please open the room on at least one day'],
  [
    'an end at the start',
    week([{ from: '09:00', to: '09:00' }]),
    'week.0.0.to: The end must be after the start',
  ],
  [
    'a start at 24:00',
    week([{ from: '24:00', to: '24:00' }]),
    'week.0.0.from: Please enter a time like 09:00',
  ],
  [
    'a minute of 60',
    week([{ from: '09:00', to: '10:60' }]),
    'week.0.0.to: Please enter a time like 09:00',
  ],
  [
    'overlapping spans',
    week([
      { from: '09:00', to: '12:00' },
      { from: '11:59', to: '13:00' },
    ]),
    'week.0: The second time slot must start after the first ends',
  ],
])('%s is refused', (_what, given, message) => {
  expect(messagesOf({ week: given })).toContain(message);
});

test('a third span, an eighth day, and a closed day too many are refused', () => {
  const span = (hour: string) => ({ from: `${hour}:00`, to: `${hour}:30` });
  expect(messagesOf({ week: week([span('08'), span('09'), span('10')]) })).toContain(
    'week.0: Please use at most two time slots per day',
  );
  expect(messagesOf({ week: [...week([span('08')]), []] })).toHaveLength(1);
  expect(messagesOf({ closedDays: Array(101).fill('2026-12-24') })).toEqual([
    'closedDays: Please add at most 100 closed days',
  ]);
});

test('time zones are names of the IANA database, not offsets', () => {
  expect(
    ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'].filter(isTimeZone),
  ).toHaveLength(3);
  expect(['+01:00', 'Europe/Nowhere', '', 'Europe/', ' UTC'].filter(isTimeZone)).toEqual([]);
  expect(messagesOf({ timeZone: '+01:00' })).toEqual(['timeZone: Please choose a time zone']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OpeningHours, openingHours } from '#domain/rooms/opening-hours.ts';
import { openingAt } from './opening.ts';

const hourMs = 3_600_000;
/** Often midnight, where the spans of two days meet. */
const minutes = fc.oneof(
  fc.constantFrom(0, 1440),
  fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15),
);
const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Up to two spans of a day that do not overlap. */
const day = fc.array(minutes, { maxLength: 4 }).map((times) => {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted.flatMap((from, n) => {
    const to = sorted[n + 1];
    return n % 2 === 0 && to !== undefined && from < to
      ? [{ from: timeOf(from), to: timeOf(to) }]
      : [];
  });
});
/** Zones whose clocks change at different hours, by an hour, by half an hour, and never. */
const timeZone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'UTC',
);
const hours: fc.Arbitrary<OpeningHours> = fc
  .record({
    timeZone,
    week: fc.array(day, { minLength: 7, maxLength: 7 }),
    closedDays: fc.uniqueArray(
      fc.integer({ min: 0, max: 364 }).map((n) => {
        const date = new Date(Date.UTC(2026, 0, 1 + n));
        return date.toISOString().slice(0, 10);
      }),
      { maxLength: 5 },
    ),
  })
  .filter(({ week }) => week.some((spans) => spans.length > 0))
  .map((given) => openingHours.parse(given));
/** Every quarter of an hour of 2026, which has all clock changes. */
const moment = fc
  .integer({ min: 0, max: 365 * 96 })
  .map((quarter) => Date.UTC(2026, 0, 1) + (quarter * hourMs) / 4);

const at = (given: OpeningHours, time: number) => openingAt(given, new Date(time));

test('an open room is open until the moment that it names, and closed then', () => {
  fc.assert(
    fc.property(hours, moment, (given, now) => {
      const opening = at(given, now);
      if (!opening.isOpen || opening.until === null) return;
      const until = opening.until.getTime();
      expect(until).toBeGreaterThan(now);
      expect(at(given, until - 1)).toEqual(opening);
      expect(at(given, until).isOpen).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a closed room stays closed until the moment that it names, and is open then', () => {
  fc.assert(
    fc.property(hours, moment, (given, now) => {
      const opening = at(given, now);
      if (opening.isOpen || opening.opensAt === null || opening.closesAt === null) return;
      const opensAt = opening.opensAt.getTime();
      expect(opensAt).toBeGreaterThan(now);
      expect(opening.closesAt.getTime()).toBeGreaterThan(opensAt);
      expect(at(given, opensAt - 1)).toEqual(opening);
      const then = at(given, opensAt);
      expect(then.isOpen).toBe(true);
    }),
    { numRuns: 500 },
  );
});

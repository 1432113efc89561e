import { Temporal } from 'temporal-polyfill';
import type { OpeningHours } from '#domain/rooms/opening-hours.ts';

/** The state of a room at some moment. `until` and `opensAt` are null if no end or opening was found. */
export type Opening =
  | { isOpen: true; until: Date | null }
  | { isOpen: false; opensAt: Date | null; closesAt: Date | null };

const dayMs = 86_400_000;
/** Search limit. It includes every weekday and a year of closed days. */
const mostDaysAhead = 500;
/** A room open for longer than this without a break has no end. */
const longestOpenMs = 8 * dayMs;

/**
 * Returns whether a room is open at a moment. Without hours a room is always open. A time that a
 * clock change skips begins when the change is over.
 */
export function openingAt(hours: OpeningHours | null, at: Date): Opening {
  if (!hours) return { isOpen: true, until: null };
  const now = at.getTime();
  let until: number | null = null;
  for (const { from, to } of spansAround(hours, now)) {
    if (until === null) {
      if (to <= now) continue;
      if (from > now) return { isOpen: false, opensAt: new Date(from), closesAt: new Date(to) };
      until = to;
    } else if (from <= until) {
      until = Math.max(until, to);
      if (until - now > longestOpenMs) return { isOpen: true, until: null };
    } else break;
  }
  if (until !== null) return { isOpen: true, until: new Date(until) };
  return { isOpen: false, opensAt: null, closesAt: null };
}

/** Yields the spans from the previous day on, in order, as moments. */
function* spansAround({ timeZone, week, closedDays }: OpeningHours, now: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const todayMs = Date.parse(today.toPlainDate().toString());
  const closed = new Set(closedDays);
  for (let ahead = -1; ahead <= mostDaysAhead; ahead += 1) {
    const spans = week[(today.dayOfWeek + ahead + 6) % 7] ?? [];
    // Anyone with the link may ask as often as they like, so days without spans must cost next to
    // nothing.
    if (spans.length === 0) continue;
    const date = new Date(todayMs + ahead * dayMs).toISOString().slice(0, 10);
    if (closed.has(date)) continue;
    const day = Temporal.PlainDate.from(date);
    for (const span of spans) {
      const from = momentOf(day, span.from, timeZone);
      const to = momentOf(day, span.to, timeZone);
      if (from < to) yield { from, to };
    }
  }
}

function momentOf(day: Temporal.PlainDate, time: string, timeZone: string): number {
  const [date, plainTime] = time === '24:00' ? [day.add({ days: 1 }), '00:00'] : [day, time];
  return date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

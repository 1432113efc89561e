import type { AnalyticsFilter } from './filter.ts';

/** The days, UTC, that the figures of a period show or compare. */
export interface Period {
  from: string;
  /** The last day. */
  to: string;
  /** The first of the days that are shown one by one. */
  daily: string;
  /** The first of the days before `from` that the period is compared with; `from` if it is not compared. */
  before: string;
  /** The days from `daily` to `to`. */
  days: string[];
}

const dayMs = 86_400_000;
const mostDays = 366;
const firstDay = '0001-01-02';

const plus = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the period of a filter that has a first or a last day. It ends today if it has no last day. */
export function periodOf({ from, to }: AnalyticsFilter, now: Date): Period {
  const today = now.toISOString().slice(0, 10);
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? firstDay;
  const length = Math.max(0, Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1);
  const shown = Math.min(length, mostDays);
  const daily = plus(last, 1 - shown);
  const isCompared = length > 0 && length <= mostDays;
  return {
    from: first,
    to: last,
    daily,
    before: isCompared && first > '0003-01-01' ? plus(first, -length) : first,
    days: Array.from({ length: shown }, (_, index) => plus(daily, index)),
  };
}

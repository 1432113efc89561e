import type { Analytics } from './contract.ts';
import type { Period } from './period.ts';

/** Sums over the completed calls of a period (docs/product-decisions.md, When a call counts). */
export interface CallSums {
  /** Completed calls. */
  calls: number;
  /** Those that the averages, and all sums below, are over. */
  averaged: number;
  durationSec: number;
  items: number;
  checkedItems: number;
  scores: number;
  scoreSum: number;
  promoters: number;
  passives: number;
  detractors: number;
}

/** The sums of one day, UTC, or of several: `date` is null for all days, `before` and `earlier` for those of a period. */
export interface DaySums extends CallSums {
  date: string | null;
}

const nothing: CallSums = {
  calls: 0,
  averaged: 0,
  durationSec: 0,
  items: 0,
  checkedItems: 0,
  scores: 0,
  scoreSum: 0,
  promoters: 0,
  passives: 0,
  detractors: 0,
};

const periodDays = 30;
const dayMs = 86_400_000;

/** The days, UTC, that the figures show or compare. */
export interface ShownDays {
  /** The last 30, oldest first, which include the current one. */
  trend: string[];
  /** First days of the last 30 that are complete, and of the 30 before them. */
  last: string;
  before: string;
  /** The current day, which a comparison of complete days leaves out. */
  today: string;
}

export function shownDays(now: Date): ShownDays {
  const dateOf = (daysAgo: number) =>
    new Date(now.getTime() - daysAgo * dayMs).toISOString().slice(0, 10);
  return {
    trend: Array.from({ length: periodDays }, (_, index) => dateOf(periodDays - 1 - index)),
    last: dateOf(periodDays),
    before: dateOf(2 * periodDays),
    today: dateOf(0),
  };
}

/**
 * Returns the figures of the dashboard and of the analytics page.
 * @param sums of all days, of each day of the last 31 that has calls, and of those before them as `before`
 */
export function analyticsOf(sums: readonly DaySums[], shown: ShownDays): Analytics {
  const days = new Map(sums.map((day) => [day.date, day]));
  const isLast = ({ date }: DaySums) => date !== null && date >= shown.last && date < shown.today;
  const last = total(sums.filter(isLast));
  const before = days.get('before') ?? nothing;
  return shownFigures(days.get(null) ?? nothing, { last, before }, shown.trend, days);
}

/**
 * Returns the figures of a period.
 * @param sums of each of its days that is shown and has calls, of those before them as `earlier`, and of those
 * that the period is compared with as `before`
 */
export function analyticsOfPeriod(sums: readonly DaySums[], period: Period): Analytics {
  const days = new Map(sums.map((day) => [day.date, day]));
  const before = days.get('before') ?? nothing;
  const all = total(sums.filter(({ date }) => date !== 'before'));
  return shownFigures(all, { last: all, before }, period.days, days);
}

function shownFigures(
  all: CallSums,
  compared: { last: CallSums; before: CallSums },
  trend: readonly string[],
  days: ReadonlyMap<string | null, CallSums>,
): Analytics {
  const { promoters, passives, detractors } = all;
  return {
    ...figures(all),
    averagedCalls: all.averaged,
    checklistItems: all.items,
    changes: changes(compared.last, compared.before),
    nps: {
      promoters,
      passives,
      detractors,
      score: netPromoterScore(promoters, passives, detractors),
    },
    trends: trend.map((date) => {
      const day = days.get(date) ?? nothing;
      const { avgDuration } = figures(day);
      return { date, calls: day.calls, avgDuration, averagedCalls: day.averaged };
    }),
  };
}

function total(days: readonly CallSums[]): CallSums {
  const sums = { ...nothing };
  for (const day of days) {
    for (const name of Object.keys(nothing) as (keyof CallSums)[]) sums[name] += day[name];
  }
  return sums;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** Returns the dashboard's figures (docs/product-decisions.md, Numbers shown). */
export function figures(sums: CallSums) {
  return {
    totalCalls: sums.calls,
    avgDuration: sums.averaged === 0 ? 0 : oneDecimal(sums.durationSec / sums.averaged / 60),
    checklistCompletion: sums.items === 0 ? 0 : Math.round((100 * sums.checkedItems) / sums.items),
    avgNpsScore: sums.scores === 0 ? null : oneDecimal(sums.scoreSum / sums.scores),
  };
}

/** Returns '+12%' or '-3%'; null when the earlier period has nothing to compare with. */
export function percentChange(now: number, before: number): string | null {
  if (before <= 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent)}%`;
}

/** Returns '+0.4' or '-0.2' in the figure's own unit; null when either period has no figure. */
export function pointChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const points = oneDecimal(now - before);
  return `${points < 0 ? '-' : '+'}${Math.abs(points)}`;
}

/** Returns the change texts of the four cards: a period compared with the one before. */
export function changes(last: CallSums, before: CallSums) {
  const now = figures(last);
  const then = figures(before);
  const bothHad = (a: number, b: number) => a > 0 && b > 0;
  return {
    totalCalls: percentChange(now.totalCalls, then.totalCalls),
    avgDuration: bothHad(last.averaged, before.averaged)
      ? percentChange(now.avgDuration, then.avgDuration)
      : null,
    checklistCompletion: bothHad(last.items, before.items)
      ? percentChange(now.checklistCompletion, then.checklistCompletion)
      : null,
    avgNpsScore: pointChange(now.avgNpsScore, then.avgNpsScore),
  };
}

/**
 * Returns the Net Promoter Score: percent of promoters minus percent of detractors; null without
 * scores.
 */
export function netPromoterScore(promoters: number, passives: number, detractors: number) {
  const all = promoters + passives + detractors;
  return all === 0 ? null : Math.round((100 * (promoters - detractors)) / all);
}

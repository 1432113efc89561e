/** Periods by name, in days of UTC, as the figures count. `custom` is in `from` and `to` of the address. */
export const periods = ['7d', '30d', '90d', 'month', 'last-month', 'year', 'custom'] as const;
export type PeriodName = (typeof periods)[number];

const dayMs = 86_400_000;
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const lastDays = (now: Date, count: number) => ({
  from: dayOf(new Date(now.getTime() - (count - 1) * dayMs)),
  to: dayOf(now),
});

/** Returns the first and the last day of a period that is named. */
export function daysOf(
  period: Exclude<PeriodName, 'custom'>,
  now: Date,
): { from: string; to: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (period) {
    case '7d':
      return lastDays(now, 7);
    case '30d':
      return lastDays(now, 30);
    case '90d':
      return lastDays(now, 90);
    case 'month':
      return { from: dayOf(new Date(Date.UTC(year, month, 1))), to: dayOf(now) };
    case 'last-month':
      return {
        from: dayOf(new Date(Date.UTC(year, month - 1, 1))),
        to: dayOf(new Date(Date.UTC(year, month, 0))),
      };
    case 'year':
      return { from: dayOf(new Date(Date.UTC(year, 0, 1))), to: dayOf(now) };
  }
}

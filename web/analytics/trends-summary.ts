import '#web/platform/call-texts.ts';
import type { Analytics } from '#domain/analytics/contract.ts';
import { formatDay } from '#web/analytics/format-day.ts';
import { t } from '#web/platform/texts.ts';

/** Returns the chart as a sentence for screen readers: how many calls, and the day with the most. */
export function trendsSummary(days: Analytics['trends'], ofPeriod: boolean): string {
  const count = days.reduce((sum, { calls }) => sum + calls, 0);
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return '';
  const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most));
  const said = { count, most: busiest.calls, date: formatDay(busiest.date) };
  if (!ofPeriod) return t('analytics.trends.summary', said);
  const period = { from: formatDay(first.date), to: formatDay(last.date) };
  return t('analytics.trends.periodSummary', { ...said, ...period });
}

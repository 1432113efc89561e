import type { Analytics } from '#domain/analytics/contract.ts';
import { formatDay } from '#web/analytics/format-day.ts';
import { t } from '#web/platform/texts.ts';

/** Returns the chart as a sentence for screen readers: how many calls, and the day with the most. */
export function trendsSummary(days: Analytics['trends']): string {
  const count = days.reduce((sum, { calls }) => sum + calls, 0);
  const busiest = days.reduce((most, day) => (day.calls > most.calls ? day : most));
  return t('analytics.trends.summary', {
    count,
    most: busiest.calls,
    date: formatDay(busiest.date),
  });
}

import type { Analytics } from '#domain/analytics/contract.ts';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import { periodOf } from '#domain/analytics/period.ts';
import { analyticsOf, analyticsOfPeriod, shownDays } from '#domain/analytics/rules.ts';
import type { Tenant } from '#server/platform/access.ts';
import { summedCalls, sumsOfPeriod, sumsSince } from './read-sums.ts';

/** Returns the figures of the organization's calls, or of those that the filter names. */
export async function readAnalytics(
  tenant: Tenant,
  filter: AnalyticsFilter,
  now: Date,
): Promise<Analytics> {
  const calls = summedCalls(filter);
  if (filter.from || filter.to) {
    const period = periodOf(filter, now);
    return analyticsOfPeriod(await sumsOfPeriod(tenant, calls, period), period);
  }
  const shown = shownDays(now);
  const days = { before: shown.before, daily: shown.last };
  return analyticsOf(await sumsSince(tenant, calls, days), shown);
}

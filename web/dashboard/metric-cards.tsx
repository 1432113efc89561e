import { Clock, ListChecks, Phone, Smile } from 'lucide-react';
import type { Analytics } from '#domain/analytics/contract.ts';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { changeText } from '#web/dashboard/change-tone.ts';
import { useAnalytics } from '#web/dashboard/queries.ts';
import { StatCard } from '#web/dashboard/stat-card.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { formatNumber, t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';

/** The API answers 0 for an average of nothing; the page says that there is none. */
const unlessOfNone = (count: number, value: string) => (count === 0 ? t('common.missing') : value);

const cards = [
  { name: 'totalCalls', icon: Phone, show: (a: Analytics) => formatNumber(a.totalCalls) },
  {
    name: 'avgDuration',
    icon: Clock,
    show: (a: Analytics) =>
      unlessOfNone(a.averagedCalls, t('dashboard.minutes', { value: a.avgDuration })),
  },
  {
    name: 'checklistCompletion',
    icon: ListChecks,
    show: (a: Analytics) =>
      unlessOfNone(a.checklistItems, t('dashboard.percent', { value: a.checklistCompletion })),
  },
  {
    name: 'avgNpsScore',
    icon: Smile,
    show: (a: Analytics) =>
      a.avgNpsScore === null ? t('common.missing') : formatNumber(a.avgNpsScore),
  },
] as const;

/** @param fixed what the whole page is of */
export function MetricCards({ fixed }: { fixed?: AnalyticsFilter }) {
  const { data, error, refetch } = useAnalytics(fixed);
  const { period } = useCallFilter().chosen;
  if (error)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {cards.map(({ name, icon, show }) => (
        <StatCard
          key={name}
          title={t(`dashboard.cards.${name}`)}
          icon={icon}
          value={data && show(data)}
          note={name === 'avgNpsScore' && data?.avgNpsScore != null ? t('calls.byTeam') : undefined}
          change={data ? changeText(data.changes[name], period !== '') : null}
        />
      ))}
    </div>
  );
}

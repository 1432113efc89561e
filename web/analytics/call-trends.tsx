import '#web/platform/call-texts.ts';
import { ChartColumn } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Analytics } from '#domain/analytics/contract.ts';
import { FiguresCard } from '#web/analytics/figures-card.tsx';
import { formatDay } from '#web/analytics/format-day.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { CrashScreen } from '#web/platform/crash-screen.tsx';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

/** Loaded with the chart library, which nothing else needs. */
const TrendsChart = lazy(() =>
  import('#web/analytics/trends-chart.tsx').then((m) => ({ default: m.TrendsChart })),
);

type Day = Analytics['trends'][number];

const columns: Column<Day>[] = [
  { title: t('analytics.trends.date'), cell: ({ date }) => formatDay(date) },
  { title: t('analytics.trends.calls'), cell: ({ calls }) => calls, align: 'end' },
  {
    title: t('analytics.trends.avgDuration'),
    cell: ({ averagedCalls, avgDuration }) =>
      averagedCalls === 0 ? t('common.missing') : t('dashboard.minutes', { value: avgDuration }),
    align: 'end',
  },
];

export function CallTrends() {
  const title = t('analytics.trends.title');
  const { hasFigureFilter } = useCallFilter();
  return (
    <FiguresCard
      title={title}
      empty={{
        icon: ChartColumn,
        title: t(hasFigureFilter ? 'calls.filter.none' : 'analytics.trends.none'),
        text: t(hasFigureFilter ? 'calls.filter.noneText' : 'analytics.trends.noneText'),
      }}
      isEmpty={({ trends }) => trends.every(({ calls }) => calls === 0)}
      chart={({ trends }) => (
        <CrashScreen>
          <Suspense fallback={<Skeleton className="m-5 h-72" />}>
            <TrendsChart days={trends} />
          </Suspense>
        </CrashScreen>
      )}
      table={({ trends }) => (
        <Table
          label={title}
          columns={columns}
          rows={[...trends].reverse()}
          keyOf={({ date }) => date}
          frameClassName="max-h-96 overflow-y-auto"
        />
      )}
    />
  );
}

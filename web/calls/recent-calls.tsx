import { PhoneOff } from 'lucide-react';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { recentCallsLimit, useRecentCalls } from '#web/calls/queries.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

export function RecentCalls() {
  return (
    <Card className="min-w-0">
      <CardHeader title={t('dashboard.recentCalls')} />
      <RecentCallsBody />
    </Card>
  );
}

function RecentCallsBody() {
  const { figures, hasFigureFilter } = useCallFilter();
  const { data, error, refetch } = useRecentCalls(figures);
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={recentCallsLimit} />;
  if (data.length === 0)
    return (
      <EmptyState icon={PhoneOff} title={t(hasFigureFilter ? 'calls.filter.none' : 'calls.none')} />
    );
  return <CallsTable label={t('dashboard.recentCalls')} calls={data.slice(0, recentCallsLimit)} />;
}

import { clsx } from 'clsx';
import { PhoneOff } from 'lucide-react';
import { useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import { ExportCallsButton } from '#web/analytics/export-calls-button.tsx';
import { Pager } from '#web/analytics/pager.tsx';
import { useCallsPage } from '#web/analytics/queries.ts';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function AllCalls() {
  return (
    <Card className="min-w-0">
      <CardHeader title={t('analytics.allCalls')} action={<ExportCallsButton />} />
      <CallPages />
    </Card>
  );
}

/** The pages that were turned to get here, each by the call that it comes after: a stack for Previous. */
function CallPages() {
  const [turned, setTurned] = useState<readonly CallId[]>([]);
  const { data, error, refetch, isPlaceholderData, next } = useCallsPage(turned.at(-1));
  if (error)
    return (
      <FailedState
        title={t('common.loadFailed')}
        text={error.message}
        retryLabel={t('common.tryAgain')}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Skeleton className="m-5 h-96" />;
  if (data.length === 0 && turned.length === 0)
    return <EmptyState icon={PhoneOff} title={t('calls.none')} />;
  return (
    <>
      <div aria-busy={isPlaceholderData} className={clsx(isPlaceholderData && 'opacity-60')}>
        <CallsTable label={t('analytics.allCalls')} calls={data} />
      </div>
      <Pager
        page={turned.length + 1}
        onPrevious={turned.length > 0 ? () => setTurned(turned.slice(0, -1)) : undefined}
        onNext={next ? () => setTurned([...turned, next]) : undefined}
      />
    </>
  );
}

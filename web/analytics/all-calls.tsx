import { clsx } from 'clsx';
import { PhoneOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { type CallId, callId } from '#domain/ids.ts';
import { ExportCallsButton } from '#web/analytics/export-calls-button.tsx';
import { Pager } from '#web/analytics/pager.tsx';
import { useCallsPage, useEveryCall } from '#web/analytics/queries.ts';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** All calls: 20 on a page, or, after View All, as one list. */
export function AllCalls() {
  const [isWhole, setWhole] = useState(false);
  const { hash } = useLocation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === '#all-calls') card.current?.scrollIntoView();
  }, [hash]);
  return (
    <div id="all-calls" ref={card} className="min-w-0 scroll-mt-4">
      <Card>
        <CardHeader
          title={t('analytics.allCalls')}
          action={
            <div className="flex flex-wrap justify-end gap-2">
              <Button
                look="outline"
                size="small"
                aria-pressed={isWhole}
                onClick={() => setWhole(!isWhole)}
              >
                {t(isWhole ? 'calls.showPages' : 'calls.viewAll')}
              </Button>
              <ExportCallsButton />
            </div>
          }
        />
        {isWhole ? <EveryCall /> : <CallPages />}
      </Card>
    </div>
  );
}

function EveryCall() {
  return (
    <PagedRows
      pages={useEveryCall()}
      loading={<Skeleton className="m-5 h-96" />}
      empty={<EmptyState icon={PhoneOff} title={t('calls.none')} />}
      texts={{ loadMore: t('calls.loadMore'), loadingMore: t('calls.loadingMore') }}
    >
      {(calls) => <CallsTable label={t('analytics.allCalls')} calls={calls} />}
    </PagedRows>
  );
}

function CallPages() {
  const [turned, setTurned] = useTurnedPages();
  const { data, error, refetch, isPlaceholderData, next } = useCallsPage(turned.at(-1));
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
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

const turnedPages = z.object({ turned: z.array(callId) });

/**
 * The visited pages, each by the call that it comes after: a stack for Previous. They are kept in
 * the browser's history, so that Back from a call leads to the page that it was opened from.
 */
function useTurnedPages() {
  const { state, ...address } = useLocation();
  const navigate = useNavigate();
  const turned = turnedPages.safeParse(state).data?.turned ?? [];
  const turn = (next: readonly CallId[]) => navigate(address, { state: { turned: next } });
  return [turned, turn] as const;
}

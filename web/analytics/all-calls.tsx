import '#web/platform/call-texts.ts';
import { clsx } from 'clsx';
import '#web/platform/search-texts.ts';
import { PhoneOff, Search, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import type { CallSort } from '#domain/calls/filter.ts';
import { callId } from '#domain/ids.ts';
import { CallsToolbar } from '#web/analytics/calls-toolbar.tsx';
import { ExportCallsButton } from '#web/analytics/export-calls-button.tsx';
import { Pager } from '#web/analytics/pager.tsx';
import { callsPerPage, useCallCount, useCallsPage, useEveryCall } from '#web/analytics/queries.ts';
import { CallsTable } from '#web/calls/calls-table.tsx';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import type { Cursor } from '#web/platform/pages-of.ts';
import { formatNumber, t } from '#web/platform/texts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

interface AllCallsProps {
  title?: string;
  /** What the whole page is of. */
  fixed?: AnalyticsFilter;
}

/** All calls that match the filters: 20 on a page, or, after View All, as one list. */
export function AllCalls({ title = t('analytics.allCalls'), fixed = {} }: AllCallsProps) {
  const chosen = useCallFilter();
  const isOfOneRoom = fixed.roomId !== undefined;
  const filter: Filter = { ...chosen, calls: { ...chosen.calls, ...fixed }, title, isOfOneRoom };
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
          title={title}
          action={
            <div className="flex flex-wrap justify-end gap-2">
              <SearchLink filter={filter} />
              <Button
                look="outline"
                size="small"
                aria-pressed={isWhole}
                onClick={() => setWhole(!isWhole)}
              >
                {t(isWhole ? 'calls.showPages' : 'calls.viewAll')}
              </Button>
              <ExportCallsButton filter={filter.calls} />
            </div>
          }
        />
        <CallsToolbar hasSearch={!isOfOneRoom} />
        {isWhole ? <EveryCall filter={filter} /> : <CallPages filter={filter} />}
      </Card>
    </div>
  );
}

/** Leads from the calls that are listed to what was said in them. */
function SearchLink({ filter: { chosen, calls } }: { filter: Filter }) {
  const { period, from, to, agentId, playbookId, score, guests } = chosen;
  const { roomId } = calls;
  const days = period === 'custom' ? { from, to } : {};
  const values = { period, ...days, agentId, roomId, playbookId, score, guests };
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return (
    <Link
      to={`/app/search?${new URLSearchParams(given)}`}
      className={buttonClass({ look: 'outline', size: 'small' })}
    >
      <Search aria-hidden className="size-4" />
      {t('search.title')}
    </Link>
  );
}

type Filter = ReturnType<typeof useCallFilter> & { title: string; isOfOneRoom: boolean };

const tableOf = ({ calls, choose, title, isOfOneRoom }: Filter) => ({
  label: title,
  isOfOneRoom,
  sort: {
    by: calls.sort ?? 'newest',
    onSort: (sort: CallSort) => choose('sort', sort === 'newest' ? '' : sort),
  },
});

function EveryCall({ filter }: { filter: Filter }) {
  return (
    <PagedRows
      pages={useEveryCall(filter.calls)}
      loading={<RowsSkeleton rows={8} />}
      empty={<NoCalls filter={filter} />}
      texts={{ loadMore: t('calls.loadMore'), loadingMore: t('calls.loadingMore') }}
    >
      {(calls) => <CallsTable {...tableOf(filter)} calls={calls} />}
    </PagedRows>
  );
}

function CallPages({ filter }: { filter: Filter }) {
  const [turned, setTurned] = useTurnedPages();
  const page = useCallsPage(filter.calls, turned.at(-1));
  const { data, error, refetch, isPlaceholderData, next } = page;
  const { data: count } = useCallCount(filter.calls);
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  const number = turned.length + 1;
  const pages = count && Math.max(Math.ceil(count.total / callsPerPage), number);
  const isEmpty = data.length === 0;
  return (
    <>
      {count && count.total > 0 && <CallTotal {...count} sort={filter.calls.sort} />}
      {isEmpty && !next ? (
        <NoCalls filter={filter} />
      ) : (
        <div aria-busy={isPlaceholderData} className={clsx(isPlaceholderData && 'opacity-60')}>
          {isEmpty ? (
            <EmptyState
              icon={SearchX}
              title={t('calls.filter.noneYet')}
              text={t('calls.filter.noneYetText')}
            />
          ) : (
            <CallsTable {...tableOf(filter)} calls={data} />
          )}
        </div>
      )}
      <Pager
        page={number}
        pages={pages}
        onPrevious={turned.length > 0 ? () => setTurned(turned.slice(0, -1)) : undefined}
        onNext={next ? () => setTurned([...turned, next]) : undefined}
      />
    </>
  );
}

interface CallTotalProps {
  total: number;
  isExact: boolean;
  sort: CallSort | undefined;
}

function CallTotal({ total, isExact, sort }: CallTotalProps) {
  const isByScore = sort === 'highest' || sort === 'lowest';
  const count = { count: total, total: formatNumber(total) };
  return (
    <p role="status" className="border-b px-5 py-2 text-xs text-muted-foreground tabular-nums">
      {t('calls.filter.total', count)}
      {!isExact && ` ${t('calls.filter.newestRooms')}`}
      {isByScore && ` ${t('calls.filter.ratedOnly')}`}
    </p>
  );
}

function NoCalls({ filter: { isFiltered, calls, clear } }: { filter: Filter }) {
  if (!isFiltered && calls.sort === undefined)
    return <EmptyState icon={PhoneOff} title={t('calls.none')} />;
  return (
    <EmptyState
      icon={SearchX}
      title={t('calls.filter.none')}
      text={t('calls.filter.noneText')}
      action={
        <Button look="outline" onClick={clear}>
          {t('calls.filter.clear')}
        </Button>
      }
    />
  );
}

const cursor = z.object({ before: callId, beforeKey: z.string().exactOptional() });
const turnedPages = z.object({ turned: z.array(cursor) });

/**
 * The visited pages, each by the call that it comes after: a stack for Previous. They are kept in
 * the browser's history, so that Back from a call leads to the page that it was opened from.
 */
function useTurnedPages() {
  const { state, ...address } = useLocation();
  const navigate = useNavigate();
  const turned: readonly Cursor[] = turnedPages.safeParse(state).data?.turned ?? [];
  const turn = (next: readonly Cursor[]) => navigate(address, { state: { turned: next } });
  return [turned, turn] as const;
}

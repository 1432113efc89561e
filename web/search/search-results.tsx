import { clsx } from 'clsx';
import { Search, SearchX } from 'lucide-react';
import type { FoundPage } from '#domain/search/contract.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { FoundCallCard } from '#web/search/found-call.tsx';
import { searchPath } from '#web/search/paths.ts';
import { useFoundCalls, type useSearchAddress } from '#web/search/use-search.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type Address = ReturnType<typeof useSearchAddress>;

/** What the search of the address finds. */
export function SearchResults({ address }: { address: Address }) {
  const { chosen, query, write } = address;
  const found = useFoundCalls(query);
  if (!chosen.q) {
    return <EmptyState icon={Search} title={t('search.tips')} text={t('search.tipsText')} />;
  }
  const { data, error, refetch, isPlaceholderData } = found;
  if (error && (!data || isPlaceholderData || found.isRefetchError)) {
    return <LoadFailed error={error} onRetry={refetch} title={t('search.failed')} />;
  }
  if (!data) return <Loading />;
  const calls = data.pages.flatMap((page) => page.calls);
  const more = found.hasNextPage ? () => void found.fetchNextPage() : undefined;
  return (
    <div
      aria-busy={isPlaceholderData}
      className={clsx('grid gap-4', isPlaceholderData && 'opacity-60')}
    >
      <Corrected page={data.pages[0]} q={chosen.q} onExact={() => write({ exact: 'true' })} />
      {calls.length === 0 ? (
        <NothingFound address={address} more={more} isLoadingMore={found.isFetchingNextPage} />
      ) : (
        <>
          <p role="status" className="text-xs text-muted-foreground">
            {t('search.found', { count: calls.length })}
          </p>
          {calls.map((call) => (
            <FoundCallCard
              key={call.id}
              call={call}
              allPath={chosen.callId ? null : searchPath({ ...query, callId: call.id })}
            />
          ))}
          {found.isFetchNextPageError && error && (
            <LoadFailed error={error} onRetry={more ?? refetch} title={t('search.failed')} />
          )}
          <LoadMore
            label={t('search.moreCalls')}
            pendingLabel={t('search.loadingMore')}
            more={found.isFetchNextPageError ? undefined : more}
            isLoadingMore={found.isFetchingNextPage}
            look="plain"
          />
        </>
      )}
    </div>
  );
}

interface CorrectedProps {
  page: FoundPage | undefined;
  q: string;
  onExact: () => void;
}

/** Says that other words were searched, with the way back to those that were typed. */
function Corrected({ page, q, onExact }: CorrectedProps) {
  if (!page?.corrected) return null;
  return (
    <p role="status" className="text-sm">
      {t('search.corrected', { words: page.corrected.q })}{' '}
      <button type="button" onClick={onExact} className="rounded text-brand-ink underline">
        {t('search.instead', { words: q })}
      </button>
    </p>
  );
}

interface NothingFoundProps {
  address: Address;
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

function NothingFound({ address, more, isLoadingMore }: NothingFoundProps) {
  const { hasFilter, clear } = address;
  if (more) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('search.noneYet')}
        text={t('search.noneYetText')}
        action={
          <Button look="outline" disabled={isLoadingMore} onClick={more}>
            {t(isLoadingMore ? 'search.loadingMore' : 'search.older')}
          </Button>
        }
      />
    );
  }
  return (
    <div role="status">
      <EmptyState
        icon={SearchX}
        title={t('search.none')}
        text={t(hasFilter ? 'search.noneFilterText' : 'search.noneText')}
        action={
          hasFilter && (
            <Button look="outline" onClick={clear}>
              {t('calls.filter.clear')}
            </Button>
          )
        }
      />
    </div>
  );
}

function Loading() {
  return (
    <div className="grid gap-4">
      <span role="status" className="sr-only">
        {t('search.loading')}
      </span>
      <Skeleton className="h-36 rounded-xl" />
      <Skeleton className="h-36 rounded-xl" />
    </div>
  );
}

import { clsx } from 'clsx';
import { Archive, type LucideIcon, SearchX } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import type { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import type { ListStatus } from '#web/platform/use-list-filter.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridSkeleton } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';

interface PagedGridProps<Item extends { id: string }> {
  /** The catalog section to use: both have the same keys. */
  noun: 'rooms' | 'playbooks';
  icon: LucideIcon;
  pages: Omit<ReturnType<typeof usePagesOf>, 'rows'> & { rows: Item[][] | undefined };
  query: { status: ListStatus; search?: string };
  card: (item: Item) => ReactNode;
  /** Absent for people who may not create one. */
  onCreate?: () => void;
}

/** The cards of a paged list, with its loading, failed, empty, and no-match states. */
export function PagedGrid<Item extends { id: string }>(props: PagedGridProps<Item>) {
  const { noun, pages, card, ...empty } = props;
  const { rows, error, retry, isOutdated, ...further } = pages;
  if (error)
    return (
      <Card>
        <LoadFailed error={error} onRetry={retry} />
      </Card>
    );
  if (!rows) return <CardGridSkeleton label={t('common.loading')} />;
  const found = rows.flat();
  if (found.length === 0)
    return (
      <Card>
        <Nothing noun={noun} {...empty} />
      </Card>
    );
  return (
    <div aria-busy={isOutdated} className={clsx(isOutdated && 'opacity-60')}>
      <CardGrid>
        {found.map((item) => (
          <Fragment key={item.id}>{card(item)}</Fragment>
        ))}
      </CardGrid>
      <LoadMore
        label={t(`${noun}.loadMore`)}
        pendingLabel={t(`${noun}.loadingMore`)}
        look="plain"
        {...further}
      />
    </div>
  );
}

type NothingProps = Pick<PagedGridProps<never>, 'noun' | 'icon' | 'query' | 'onCreate'>;

function Nothing({ noun, icon, query: { status, search }, onCreate }: NothingProps) {
  if (search)
    return (
      <EmptyState
        icon={SearchX}
        title={t(`${noun}.noMatch`)}
        text={t(`${noun}.noMatchText`, { search })}
      />
    );
  if (status === 'archived')
    return (
      <EmptyState
        icon={Archive}
        title={t(`${noun}.noneArchived`)}
        text={t(`${noun}.noneArchivedText`)}
      />
    );
  return (
    <EmptyState
      icon={icon}
      title={t(`${noun}.empty`)}
      text={t(`${noun}.${onCreate ? 'emptyText' : 'emptyViewer'}`)}
      action={onCreate && <Button onClick={onCreate}>{t(`${noun}.createFirst`)}</Button>}
    />
  );
}

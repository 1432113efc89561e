import { clsx } from 'clsx';
import { Archive, ListChecks, SearchX } from 'lucide-react';
import type { Playbook } from '#domain/playbooks/contract.ts';
import type { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import type { ListStatus } from '#web/platform/use-list-filter.ts';
import { PlaybookCard } from '#web/playbooks/playbook-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridSkeleton } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';

interface PlaybookGridProps {
  playbooks: Omit<ReturnType<typeof usePagesOf>, 'rows'> & { rows: Playbook[][] | undefined };
  query: { status: ListStatus; search?: string };
  onEdit: (playbook: Playbook) => void;
  /** Absent for people who may not make playbooks. */
  onCreate?: () => void;
}

export function PlaybookGrid({ playbooks, query, onEdit, onCreate }: PlaybookGridProps) {
  const { rows, error, retry, isOutdated, ...further } = playbooks;
  if (error)
    return (
      <Card>
        <FailedState
          title={t('common.loadFailed')}
          text={error.message}
          retryLabel={t('common.tryAgain')}
          onRetry={retry}
        />
      </Card>
    );
  if (!rows) return <CardGridSkeleton label={t('common.loading')} />;
  const found = rows.flat();
  if (found.length === 0) return <NoPlaybooks query={query} {...(onCreate ? { onCreate } : {})} />;
  return (
    <div aria-busy={isOutdated} className={clsx(isOutdated && 'opacity-60')}>
      <CardGrid>
        {found.map((playbook) => (
          <PlaybookCard key={playbook.id} playbook={playbook} onEdit={() => onEdit(playbook)} />
        ))}
      </CardGrid>
      <LoadMore
        label={t('playbooks.loadMore')}
        pendingLabel={t('playbooks.loadingMore')}
        look="plain"
        {...further}
      />
    </div>
  );
}

function NoPlaybooks({ query, onCreate }: Pick<PlaybookGridProps, 'query' | 'onCreate'>) {
  const { status, search } = query;
  if (search)
    return (
      <Card>
        <EmptyState
          icon={SearchX}
          title={t('playbooks.noMatch')}
          text={t('playbooks.noMatchText', { search })}
        />
      </Card>
    );
  if (status === 'archived')
    return (
      <Card>
        <EmptyState
          icon={Archive}
          title={t('playbooks.noneArchived')}
          text={t('playbooks.noneArchivedText')}
        />
      </Card>
    );
  return (
    <Card>
      <EmptyState
        icon={ListChecks}
        title={t('playbooks.empty')}
        text={t(onCreate ? 'playbooks.emptyText' : 'playbooks.emptyViewer')}
        action={onCreate && <Button onClick={onCreate}>{t('playbooks.createFirst')}</Button>}
      />
    </Card>
  );
}

import { clsx } from 'clsx';
import { Archive, SearchX, Video } from 'lucide-react';
import type { Room } from '#domain/rooms/contract.ts';
import type { usePagesOf } from '#web/platform/pages-of.ts';
import { t } from '#web/platform/texts.ts';
import type { ListStatus } from '#web/platform/use-list-filter.ts';
import { RoomCard } from '#web/rooms/room-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridSkeleton } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';

interface RoomGridProps {
  rooms: Omit<ReturnType<typeof usePagesOf>, 'rows'> & { rows: Room[][] | undefined };
  query: { status: ListStatus; search?: string };
  onEdit: (room: Room) => void;
  onAccess: (room: Room) => void;
  /** Absent for people who may not make rooms. */
  onCreate?: () => void;
}

export function RoomGrid({ rooms, query, onEdit, onAccess, onCreate }: RoomGridProps) {
  const { rows, error, retry, isOutdated, ...further } = rooms;
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
  if (found.length === 0) return <NoRooms query={query} {...(onCreate ? { onCreate } : {})} />;
  return (
    <div aria-busy={isOutdated} className={clsx(isOutdated && 'opacity-60')}>
      <CardGrid>
        {found.map((room) => (
          <RoomCard
            key={room.id}
            room={room}
            onEdit={() => onEdit(room)}
            onAccess={() => onAccess(room)}
          />
        ))}
      </CardGrid>
      <LoadMore
        label={t('rooms.loadMore')}
        pendingLabel={t('rooms.loadingMore')}
        look="plain"
        {...further}
      />
    </div>
  );
}

function NoRooms({ query, onCreate }: Pick<RoomGridProps, 'query' | 'onCreate'>) {
  const { status, search } = query;
  if (search)
    return (
      <Card>
        <EmptyState
          icon={SearchX}
          title={t('rooms.noMatch')}
          text={t('rooms.noMatchText', { search })}
        />
      </Card>
    );
  if (status === 'archived')
    return (
      <Card>
        <EmptyState
          icon={Archive}
          title={t('rooms.noneArchived')}
          text={t('rooms.noneArchivedText')}
        />
      </Card>
    );
  return (
    <Card>
      <EmptyState
        icon={Video}
        title={t('rooms.empty')}
        text={t(onCreate ? 'rooms.emptyText' : 'rooms.emptyViewer')}
        action={onCreate && <Button onClick={onCreate}>{t('rooms.createFirst')}</Button>}
      />
    </Card>
  );
}

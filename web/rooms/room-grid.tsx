import { Video } from 'lucide-react';
import { t } from '#web/platform/texts.ts';
import { useRooms } from '#web/rooms/queries.ts';
import { RoomCard } from '#web/rooms/room-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridSkeleton } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';

/** `onCreate` is absent for people who may not make rooms. */
export function RoomGrid({ onCreate }: { onCreate?: () => void }) {
  const { data, error, refetch } = useRooms();
  if (error)
    return (
      <Card>
        <FailedState
          title={t('common.loadFailed')}
          text={error.message}
          retryLabel={t('common.tryAgain')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  if (!data) return <CardGridSkeleton label={t('common.loading')} />;
  if (data.length === 0)
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
  return (
    <CardGrid>
      {data.map((room) => (
        <RoomCard key={room.id} room={room} />
      ))}
    </CardGrid>
  );
}

import { Video } from 'lucide-react';
import { Link } from 'react-router';
import { byUrgency } from '#web/dashboard/by-urgency.ts';
import { useNotices } from '#web/notices/notices.ts';
import { RoomNowBadge } from '#web/notices/room-now-badge.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { useRooms } from '#web/rooms/queries.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

const mostRooms = 3;

export function ActiveRooms() {
  return (
    <Card>
      <CardHeader title={t('dashboard.activeRooms')} />
      <ActiveRoomList />
    </Card>
  );
}

function ActiveRoomList() {
  const { data, error, refetch } = useRooms();
  const { rooms: now } = useNotices();
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={mostRooms} />;
  const active = byUrgency(
    data.filter(({ status, sample }) => status === 'active' && !sample),
    now,
  ).slice(0, mostRooms);
  if (active.length === 0) return <EmptyState icon={Video} title={t('dashboard.noActiveRooms')} />;
  return (
    <ul className="divide-y">
      {active.map(({ id, topic, playbook }) => (
        <li key={id} className="px-5 py-3">
          <div className="flex items-center gap-3">
            <div className="min-w-0 flex-1">
              <p className="truncate text-sm font-medium">{topic}</p>
              {playbook && (
                <p className="truncate text-xs text-muted-foreground">{playbook.title}</p>
              )}
            </div>
            <Link
              to={callPath(id)}
              aria-label={t('dashboard.joinRoom', { topic })}
              className={buttonClass({ look: 'outline', size: 'small' })}
            >
              {t('dashboard.join')}
            </Link>
          </div>
          <RoomNowBadge roomId={id} />
        </li>
      ))}
    </ul>
  );
}

import { ArrowLeft, ListChecks } from 'lucide-react';
import { Link } from 'react-router';
import type { Room } from '#domain/rooms/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { playbookPath } from '#web/playbooks/paths.ts';
import { callPath } from '#web/rooms/paths.ts';
import { RoomMenu } from '#web/rooms/room-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';

interface RoomHeaderProps {
  room: Room;
  onEdit: () => void;
  onAccess: () => void;
}

export function RoomHeader({ room, onEdit, onAccess }: RoomHeaderProps) {
  const mayChange = useMay('rooms.update');
  const { id, topic, status, playbook, createdAt, createdBy } = room;
  const by = createdBy ? ` ${t('rooms.by', { name: createdBy.firstName || createdBy.email })}` : '';
  return (
    <header className="mb-6">
      <Link
        to="/app/rooms"
        className="mb-3 inline-flex items-center gap-1.5 rounded text-sm text-muted-foreground hover:text-foreground"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t('rooms.title')}
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1
            title={topic}
            className="line-clamp-3 text-xl font-semibold tracking-tight wrap-anywhere"
          >
            {topic}
          </h1>
          <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
            {/* Its tint is too pale on the page itself. */}
            <span className="rounded-full bg-card">
              <Badge look={status === 'active' ? 'success' : 'outline'}>
                {t(`rooms.statuses.${status}`)}
              </Badge>
            </span>
            <span className="min-w-0 wrap-anywhere">
              {t('rooms.created', { time: formatDateTime(createdAt) }) + by}
            </span>
            {playbook && (
              <Link
                to={playbookPath(playbook.id)}
                className="flex min-w-0 items-center gap-1.5 rounded hover:text-foreground hover:underline"
              >
                <ListChecks aria-hidden className="size-4 shrink-0" />
                <span className="truncate">{playbook.title}</span>
              </Link>
            )}
          </div>
        </div>
        <div className="flex items-center gap-2">
          {status === 'active' && (
            <Link
              to={callPath(id)}
              onPointerEnter={() => preloadPage('call')}
              className={buttonClass()}
            >
              {t('rooms.joinCall')}
            </Link>
          )}
          {mayChange && <RoomMenu room={room} onEdit={onEdit} onAccess={onAccess} />}
        </div>
      </div>
    </header>
  );
}

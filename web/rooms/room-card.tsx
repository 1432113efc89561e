import { ListChecks } from 'lucide-react';
import { Link } from 'react-router';
import type { Room } from '#domain/rooms/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { ShareButton } from '#web/links/share-button.tsx';
import { RoomNowBadge } from '#web/notices/room-now-badge.tsx';
import { serverNow } from '#web/platform/clock.ts';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { timeAgo } from '#web/platform/time-ago.ts';
import { CopyGuestLinkButton } from '#web/rooms/copy-guest-link-button.tsx';
import { callPath, roomPath } from '#web/rooms/paths.ts';
import { RenewLinkButton } from '#web/rooms/renew-link-button.tsx';
import { RoomMenu } from '#web/rooms/room-menu.tsx';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

interface RoomCardProps {
  room: Room;
  onEdit: () => void;
  onAccess: () => void;
}

const ago = (iso: string) => timeAgo(iso, new Date(serverNow())) ?? t('rooms.justNow');
const byWhom = (person: Room['createdBy']) =>
  person ? ` ${t('rooms.by', { name: person.firstName || person.email })}` : '';

export function RoomCard({ room, onEdit, onAccess }: RoomCardProps) {
  const maySend = useMay('rooms.share');
  const mayChange = useMay('rooms.update');
  const { topic, status, archivedAt, playbook, callCount, sample } = room;
  return (
    <Card className="group flex flex-col gap-3 p-4">
      <div>
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 text-sm font-semibold" title={topic}>
            <Link
              to={roomPath(room.id)}
              onPointerEnter={() => preloadPage('room')}
              className="line-clamp-3 rounded wrap-anywhere hover:underline"
            >
              {topic}
            </Link>
          </h2>
          <div className="-mt-1.5 -mr-2 flex items-center gap-1">
            <SampleMark shown={sample} />
            {!sample && (
              <Badge look={status === 'active' ? 'success' : 'outline'}>
                {t(`rooms.statuses.${status}`)}
              </Badge>
            )}
            {mayChange && !sample && <RoomMenu room={room} onEdit={onEdit} onAccess={onAccess} />}
          </div>
        </div>
        <p className="mt-1 line-clamp-2 text-xs wrap-anywhere text-muted-foreground">
          {t('rooms.created', { time: ago(room.createdAt) }) + byWhom(room.createdBy)}
        </p>
        {archivedAt && (
          <p className="mt-1 line-clamp-2 text-xs wrap-anywhere text-muted-foreground">
            {t('rooms.archivedAgo', { time: ago(archivedAt) }) + byWhom(room.archivedBy)}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs text-muted-foreground">
        <span className="whitespace-nowrap tabular-nums">
          {t('rooms.calls', { count: callCount })}
        </span>
        <RoomNowBadge roomId={room.id} />
        {playbook && (
          <span className="flex min-w-0 items-center gap-1.5">
            <ListChecks aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate" title={playbook.title}>
              {playbook.title}
            </span>
          </span>
        )}
      </div>
      {sample && <p className="mt-auto text-sm text-muted-foreground">{t('samples.noCalls')}</p>}
      {status === 'active' && !sample && (
        <div className="mt-auto -mr-2 flex flex-wrap items-center gap-1.5">
          <Link
            to={callPath(room.id)}
            onPointerEnter={() => preloadPage('call')}
            className={buttonClass({ size: 'small' })}
          >
            {t('rooms.joinCall')}
          </Link>
          {maySend && (
            <>
              <CopyGuestLinkButton roomId={room.id} />
              <span className="flex gap-1.5 transition-opacity duration-150 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 motion-reduce:transition-none">
                <ShareButton room={room} />
                <RenewLinkButton room={room} />
              </span>
            </>
          )}
        </div>
      )}
    </Card>
  );
}

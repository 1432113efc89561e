import { useRoomNow } from '#web/notices/notices.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';
import { Badge } from '#web/ui/badge.tsx';

/** What happens in a room at this moment: a call with its people and minutes, and waiting guests. */
export function RoomNowBadge({ roomId }: { roomId: string }) {
  const room = useRoomNow(roomId);
  if (!room) return null;
  const { call, waiting } = room;
  return (
    <span className="flex flex-wrap gap-1.5 py-1">
      {call && <LiveBadge {...call} />}
      {waiting > 0 && <Badge>{t('notices.waiting', { count: waiting })}</Badge>}
    </span>
  );
}

function LiveBadge({ startedAt, people }: { startedAt: string; people: number | null }) {
  const now = useNow(10_000);
  const minutes = Math.floor((now - Date.parse(startedAt)) / 60_000);
  const parts = [
    t('notices.live'),
    ...(people === null ? [] : [t('notices.people', { count: people })]),
    ...(minutes > 0 ? [t('notices.minutes', { count: minutes })] : []),
  ];
  return (
    <Badge look="success">
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {parts.join(' · ')}
    </Badge>
  );
}

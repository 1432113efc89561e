import { BellRing, X } from 'lucide-react';
import { Link } from 'react-router';
import type { GuestAtDoor, RoomNow } from '#domain/notices/live.ts';
import { waitOf } from '#web/live/shared-notices.ts';
import { putOff } from '#web/notices/notices.ts';
import { useDecide } from '#web/notices/use-decide.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';
import { callPath } from '#web/rooms/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

export interface CalledRoom extends RoomNow {
  guests: GuestAtDoor[];
}

/**
 * The guests who wait for this person, on any page. It stays until they are admitted, denied, gone, or put off; the
 * toasts, of which one is shown at a time, do not replace it.
 */
export function WaitingCard({ rooms }: { rooms: readonly CalledRoom[] }) {
  const guests = rooms.flatMap((room) => room.guests);
  return (
    <section
      aria-label={t('notices.label')}
      className="appear fixed top-16 right-3 left-3 z-40 rounded-xl border bg-raised shadow-xl sm:right-auto sm:left-1/2 sm:w-104 sm:-translate-x-1/2 md:top-3 print:hidden"
    >
      <header className="flex items-center gap-3 py-2 pr-2 pl-4">
        <BellRing aria-hidden className="size-4 shrink-0 text-brand-ink" />
        <p role="status" className="min-w-0 flex-1 truncate text-sm font-semibold">
          {titleOf(rooms, guests)}
        </p>
        <Button
          look="ghost"
          size="icon"
          className="size-8"
          aria-label={t('notices.putOff')}
          title={t('notices.putOff')}
          onClick={() => putOff(guests.map(waitOf))}
        >
          <X aria-hidden className="size-4" />
        </Button>
      </header>
      <div className="max-h-[min(24rem,60dvh)] divide-y overflow-y-auto border-t">
        {rooms.map((room) => (
          <WaitingInRoom key={room.roomId} room={room} />
        ))}
      </div>
    </section>
  );
}

function titleOf(rooms: readonly CalledRoom[], guests: readonly GuestAtDoor[]): string {
  const count = rooms.reduce((sum, { waiting }) => sum + waiting, 0);
  const [first] = guests;
  if (guests.length === 1 && first) return t('notices.isWaiting', { name: first.name });
  return t('notices.areWaiting', { count: Math.max(count, guests.length) });
}

function WaitingInRoom({ room }: { room: CalledRoom }) {
  const { roomId, topic, guests, waiting } = room;
  const { mutate, isPending } = useDecide(room);
  const more = waiting - guests.length;
  const inLobby = guests.filter(({ isInside }) => !isInside);
  return (
    <div className="px-4 py-2.5">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 truncate text-xs text-muted-foreground" title={topic}>
          {topic}
        </p>
        {inLobby.length > 1 && (
          <Button
            look="ghost"
            size="small"
            disabled={isPending}
            onClick={() => mutate({ guests: inLobby, decision: 'admitted' })}
          >
            {t('notices.admitAll')}
          </Button>
        )}
        <Link
          to={callPath(roomId)}
          aria-label={t(guests.length > inLobby.length ? 'notices.joinRoom' : 'notices.viewRoom', {
            topic,
          })}
          className={buttonClass({ look: 'outline', size: 'small' })}
        >
          {t(guests.length > inLobby.length ? 'notices.join' : 'notices.view')}
        </Link>
      </div>
      <ul>
        {guests.map((guest) => (
          <WaitingRow key={guest.id} room={room} guest={guest} />
        ))}
      </ul>
      {more > 0 && (
        <p className="pt-1 text-xs text-muted-foreground">{t('notices.more', { count: more })}</p>
      )}
    </div>
  );
}

function WaitingRow({ room, guest }: { room: CalledRoom; guest: GuestAtDoor }) {
  const { mutate, isPending } = useDecide(room);
  const now = useNow(10_000);
  const minutes = Math.floor((now - Date.parse(guest.since)) / 60_000);
  const { name, isInside } = guest;
  return (
    <li className="flex flex-wrap items-center justify-end gap-2 pt-2">
      <p className="min-w-0 flex-1 basis-40 truncate text-sm">
        <span className="font-medium" title={name}>
          {name}
        </span>
        {isInside && <span className="text-muted-foreground"> · {t('notices.inside')}</span>}
        {minutes > 0 && (
          <span className="text-muted-foreground">
            {' '}
            · {t('notices.minutes', { count: minutes })}
          </span>
        )}
      </p>
      {!isInside && (
        <span className="flex gap-2">
          <Button
            look="outline"
            size="small"
            disabled={isPending}
            aria-label={t('notices.denyName', { name })}
            onClick={() => mutate({ guests: [guest], decision: 'refused' })}
          >
            {t('notices.deny')}
          </Button>
          <Button
            size="small"
            disabled={isPending}
            aria-label={t('notices.admitName', { name })}
            onClick={() => mutate({ guests: [guest], decision: 'admitted' })}
          >
            {t('notices.admit')}
          </Button>
        </span>
      )}
    </li>
  );
}

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { waitOf } from '#web/live/shared-notices.ts';
import { useNotices } from '#web/notices/notices.ts';
import { markPage } from '#web/notices/page-marker.ts';
import { ring } from '#web/notices/ring.ts';
import { WaitingCard } from '#web/notices/waiting-card.tsx';
import { callPath } from '#web/rooms/paths.ts';

/** Guests wait for this person: the card, the marks of the tab, and the alerts. */
export default function AtTheDoor() {
  const { rooms, putOff } = useNotices();
  const { pathname } = useLocation();
  const called = rooms.flatMap(({ guests = [], ...room }) =>
    guests.length > 0 ? [{ ...room, guests }] : [],
  );
  const count = called.reduce((sum, { waiting }) => sum + waiting, 0);
  useEffect(() => markPage(count), [count]);
  useEffect(() => ring(called));
  const shown = called.flatMap((room) => {
    // The meeting page shows the guests of its own room.
    if (pathname === callPath(room.roomId)) return [];
    const guests = room.guests.filter((guest) => !putOff.includes(waitOf(guest)));
    return guests.length > 0 ? [{ ...room, guests }] : [];
  });
  return shown.length > 0 ? <WaitingCard rooms={shown} /> : null;
}

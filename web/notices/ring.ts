import * as z from 'zod/mini';
import type { GuestAtDoor } from '#domain/notices/live.ts';
import { currentCall } from '#web/calls/kept-call.ts';
import { waitOf } from '#web/live/shared-notices.ts';
import { knock } from '#web/meet/lobby/knock-sound.ts';
import { readAlerts, systemPermission } from '#web/notices/alerts.ts';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

interface CalledTo {
  roomId: string;
  topic: string;
  guests: readonly GuestAtDoor[];
}

/** Guests who arrive within this time of each other make one sound. */
const burstMs = 5_000;
/** The tab that the person looks at comes first, and one in the background last. */
const laterMs = { looked: 0, visible: 150, hidden: 300 };
const mostRung = 100;

const stored = new StoredValue(
  openStorage(() => localStorage),
  'rung-waits',
  z.array(z.string()),
);
const known = new Set<string>();
let rangAt = Number.NEGATIVE_INFINITY;

/** Calls the person's attention to guests who have begun to wait, in one tab of the browser. */
export function ring(rooms: readonly CalledTo[]): void {
  for (const room of rooms) {
    const fresh = room.guests.filter((guest) => !isKnown(guest));
    for (const guest of fresh) known.add(waitOf(guest)).add(guest.id);
    if (fresh.length > 0) void ringOnce(room, fresh);
  }
}

// A guest who was admitted to an empty room has rung before.
const isKnown = (guest: GuestAtDoor) =>
  known.has(waitOf(guest)) || (guest.isInside === true && known.has(guest.id));

async function ringOnce(room: CalledTo, guests: readonly GuestAtDoor[]): Promise<void> {
  const place = document.hasFocus() ? 'looked' : document.hidden ? 'hidden' : 'visible';
  await new Promise((resolve) => setTimeout(resolve, laterMs[place]));
  for (const guest of guests) if (await isFirst(waitOf(guest))) return alertOf(room, guests, place);
}

/** Whether no tab of the browser has rung for this wait yet, before a reload, for example. */
async function isFirst(wait: string): Promise<boolean> {
  const claim = () => {
    const rung = stored.read() ?? [];
    if (rung.includes(wait)) return false;
    stored.write([...rung, wait].slice(-mostRung));
    return true;
  };
  return navigator.locks ? navigator.locks.request('ring', claim) : claim();
}

function alertOf(room: CalledTo, guests: readonly GuestAtDoor[], place: string): void {
  const { sound, system } = readAlerts();
  // The meeting page rings for its own room.
  const isOpen = currentCall.getSnapshot().call?.getSnapshot().room.id === room.roomId;
  if (sound && !isOpen && Date.now() - rangAt > burstMs) {
    rangAt = Date.now();
    knock();
  }
  if (system && place !== 'looked' && systemPermission() === 'granted') notify(room, guests);
}

/** The text is plain, whatever a guest's name contains. */
function notify({ roomId, topic }: CalledTo, guests: readonly GuestAtDoor[]): void {
  const [first] = guests;
  const count = guests.length;
  const title =
    count === 1
      ? t('notices.isWaiting', { name: first?.name ?? '' })
      : t('notices.areWaiting', { count });
  try {
    const shown = new Notification(title, { body: topic, tag: `waiting ${roomId}` });
    shown.onclick = () => {
      window.focus();
      shown.close();
      window.location.assign(callPath(roomId));
    };
  } catch {
    // Chrome on Android allows notifications of service workers only.
  }
}

import type { WaitingGuest } from '#domain/calls/participant.ts';
import type { Store } from '#web/live/store.ts';

/** Guests who arrive within this time of each other make one sound. */
const burstMs = 5_000;

/**
 * Rings when a guest starts to wait, but not for one who reloads the page and keeps the place.
 * @returns a function that stops it
 */
export function followKnocks(
  meeting: Store<{ guests: readonly WaitingGuest[] }>,
  ring: () => void,
  now: () => number = Date.now,
): () => void {
  const since = new Map<string, string>();
  let rangAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    const begun = meeting.getSnapshot().guests.filter((one) => since.get(one.id) !== one.since);
    if (begun.length === 0) return;
    for (const one of begun) since.set(one.id, one.since);
    if (now() - rangAt < burstMs) return;
    rangAt = now();
    ring();
  };
  look();
  return meeting.subscribe(look);
}

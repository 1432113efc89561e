import { othersInMeeting } from '#web/live/roster.ts';
import type { Store } from '#web/live/store.ts';
import type { MeetingState } from '../meeting-state.ts';

/** After this time the rest of the page loads, connected or not. */
const longestWaitMs = 300;

/**
 * Resolves when loading can no longer delay the first video: it has arrived, none will, or the time
 * is up.
 */
export function connectionsAreMade(
  meeting: Store<Pick<MeetingState, 'phase' | 'roster' | 'wait' | 'views'>>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    const { phase, roster, wait, views } = meeting.getSnapshot();
    const isAlone = roster.self !== null && othersInMeeting(roster).length === 0;
    const isMade = [...views.values()].some(({ state }) => state === 'connected');
    if (phase !== 'meeting' || wait !== null || isAlone || isMade) resolve();
  };
  const stop = meeting.subscribe(look);
  look();
  setTimeout(resolve, longestWaitMs);
  return promise.finally(stop);
}

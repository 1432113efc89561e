import { WritableStore } from '#web/live/store.ts';
import { hasRest } from '#web/media/recording/rest-mark.ts';
import type { Meeting } from '../meeting.ts';
import type { captureParts } from './capture-parts.tsx';
import type { CaptureSession } from './capture-session.ts';

/** The parts of the page about recordings, once something may be captured. Loaded then. */
export const captureSlot = new WritableStore<{
  loaded: { session: CaptureSession; parts: typeof captureParts } | null;
}>({ loaded: null });

/** Loads the parts when the room, the call, or an earlier page of this browser has need of them. */
export function followCaptures(meeting: Meeting): void {
  let isLoading = false;
  const look = () => {
    const { asks, captures, capturable, isHost } = meeting.getSnapshot();
    const isNeeded = asks.length > 0 || captures !== null || (isHost && capturable.length > 0);
    if (isLoading || !(isNeeded || hasRest())) return;
    isLoading = true;
    import('./capture-parts.tsx').then(
      ({ captureParts: parts }) =>
        captureSlot.update({ loaded: { session: new parts.CaptureSession(meeting), parts } }),
      () => {
        isLoading = false;
      },
    );
  };
  meeting.subscribe(look);
  look();
}

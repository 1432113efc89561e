import { othersInMeeting } from '#web/live/roster.ts';
import type { Store } from '#web/live/store.ts';
import type { MeetingState } from '../meeting-state.ts';
import { makeVideoElement } from '../stage/video-element.ts';

/** The page does not wait longer than this for a video. */
const longestWaitMs = 400;
/** With an SFU, a video takes three more round trips. */
const longestWaitByServerMs = 900;
/** The page takes over the video when it is first drawn; a video without a place in it is removed. */
const takenOverWithinMs = 500;

const wholePage = 'position: fixed; inset: 0; width: 100%; height: 100%; object-fit: cover';

let first: { stream: MediaStream; picture: HTMLVideoElement } | null = null;

/**
 * Shows the first video of another participant before the page exists. Resolves when it is visible,
 * when there is none to wait for, or when the time is up.
 */
export function firstVideo(
  meeting: Store<Pick<MeetingState, 'phase' | 'roster' | 'views'>>,
  byServer = false,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    const { phase, roster, views } = meeting.getSnapshot();
    if (phase !== 'meeting') return resolve();
    if (roster.self === null) return;
    const seen = othersInMeeting(roster).filter(({ media }) => media.video);
    if (seen.length === 0) return resolve();
    const [stream] = seen.flatMap(({ id }) => views.get(id)?.video ?? []);
    if (stream && first === null) show(stream, resolve);
  };
  const stop = meeting.subscribe(look);
  look();
  setTimeout(resolve, byServer ? longestWaitByServerMs : longestWaitMs);
  return promise.finally(stop);
}

function show(stream: MediaStream, seen: () => void): void {
  const picture = makeVideoElement(stream);
  picture.style.cssText = wholePage;
  first = { stream, picture };
  document.body.append(picture);
  // Without this callback, the page is shown immediately.
  if ('requestVideoFrameCallback' in picture) picture.requestVideoFrameCallback(seen);
  else seen();
}

/** Returns the video element of a stream: once the one that already plays, otherwise a new one. */
export function videoElementOf(stream: MediaStream): HTMLVideoElement {
  if (first?.stream !== stream) return makeVideoElement(stream);
  const { picture } = first;
  first = null;
  picture.removeAttribute('style');
  return picture;
}

export function dropFirstVideo(): void {
  setTimeout(() => {
    first?.picture.remove();
    first = null;
  }, takenOverWithinMs);
}

import { othersInMeeting } from '#web/live/roster.ts';
import type { Store } from '#web/live/store.ts';
import type { MeetingState } from '../meeting-state.ts';
import { makeVideoElement } from '../stage/video-element.ts';

/** A picture that does not come keeps nobody from seeing the page. */
const longestWaitMs = 400;
/** By a media server it takes three messages more, there and back. */
const longestWaitByServerMs = 900;
/** The page takes the picture over when it is drawn first; one that it has no place for goes. */
const takenOverWithinMs = 500;

const wholePage = 'position: fixed; inset: 0; width: 100%; height: 100%; object-fit: cover';

let first: { stream: MediaStream; picture: HTMLVideoElement } | null = null;

/**
 * Shows the first picture of somebody else before there is a page around it. Resolves when it is
 * seen, when there is none to wait for, or soon anyway.
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
  // Where a browser does not tell frames, the page comes at once.
  if ('requestVideoFrameCallback' in picture) picture.requestVideoFrameCallback(seen);
  else seen();
}

/** The picture of a stream: the one that plays already, once, else a new one. */
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

import type { MediaState } from '#domain/calls/participant.ts';
import type { PeerConnection } from '../mesh/peer-connection.ts';
import type { PeerView } from '../peer-view.ts';
import { isFloating, isShown, onShown } from '../shown/shown-videos.ts';
import type { MeetingConnections } from './meeting-connections.ts';
import type { Network } from './network.ts';

type Wanted = { camera: boolean; screen: boolean };
const everything: Wanted = { camera: true, screen: true };

/** A video that is out of sight for a moment, by a scroll or a change of layout, stays wanted. */
const lingerMs = 1_500;

type Watching = Pick<MeetingConnections, 'subscribe' | 'peerConnections' | 'send' | 'onMessage'> & {
  getSnapshot: () => Pick<ReturnType<MeetingConnections['getSnapshot']>, 'views' | 'roster'>;
};

/**
 * Reports to each other page which of its videos this page shows, so that unseen videos are neither sent
 * nor decoded. Kept by peer connection, since a new one sends everything at first.
 */
export function reportWantedVideo(meeting: Watching, network: Network): () => void {
  const reported = new WeakMap<PeerConnection, Wanted>();
  /** The last report to each participant, for any connection. */
  const last = new Map<string, Wanted>();
  /** Participants whose pages may have missed the last report. */
  const doubtful = new Set<string>();
  const away = new Set<string>();
  let later: ReturnType<typeof setTimeout> | undefined;
  const doubt = (id: string) => {
    if (last.has(id)) doubtful.add(id);
  };
  const report = (lessToo: boolean) => {
    const { views, roster } = meeting.getSnapshot();
    const { connections } = network.getSnapshot();
    for (const { id, media, connected } of roster.participants) {
      if (!connected) away.add(id);
      else if (away.delete(id)) doubt(id);
      const [pc, view] = [meeting.peerConnections.get(id), views.get(id)];
      if (!pc?.wasConnected || !view) continue;
      const before = reported.get(pc) ?? everything;
      const now = wantedOf(view, media, connections.get(id)?.videoMissing === true);
      const wanted = lessToo ? now : either(before, now);
      // A report for the previous connection may arrive when this one exists.
      const isUnclear = !reported.has(pc) && !isSame(last.get(id) ?? everything, everything);
      if (isSame(wanted, before) && !isUnclear && !doubtful.has(id)) continue;
      if (!meeting.send({ type: 'watch', to: id, ...wanted })) continue;
      doubtful.delete(id);
      reported.set(pc, wanted);
      last.set(id, wanted);
      pc.showsVideo = wanted.camera;
    }
  };
  const look = () => {
    report(false);
    later ??= setTimeout(() => {
      later = undefined;
      report(true);
    }, lingerMs);
  };
  // A peer connection outlives the server: reports while the server or the other page was away are lost.
  meeting.onMessage((message) => {
    if (message.type === 'welcome' && !message.resumed) for (const id of last.keys()) doubt(id);
    if (message.type === 'joined') doubt(message.participant.id);
    look();
  });
  const stops = [onShown(look), meeting.subscribe(look)];
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    for (const stop of stops) stop();
    document.removeEventListener('visibilitychange', look);
    clearTimeout(later);
  };
}

const isSame = (one: Wanted, other: Wanted): boolean =>
  one.camera === other.camera && one.screen === other.screen;

const either = (one: Wanted, other: Wanted): Wanted => ({
  camera: one.camera || other.camera,
  screen: one.screen || other.screen,
});

/**
 * A video that has not arrived, or was paused for lack of bandwidth, is wanted even if no element
 * shows it.
 */
function wantedOf({ video, screen }: PeerView, media: MediaState, isMissing: boolean): Wanted {
  // A page in the background shows nothing, except in a window that floats over others.
  if (document.hidden && document.pictureInPictureElement === null) {
    return { camera: isFloating(video), screen: isFloating(screen) };
  }
  return {
    camera: !media.video || isMissing || isShown(video),
    screen: !media.screen || isShown(screen),
  };
}

import type { MediaState } from '#domain/calls/live.ts';
import type { Meeting, MeetingState } from '../meeting.ts';
import type { Link } from '../paths/link.ts';
import type { PeerView } from '../paths/peer-view.ts';
import { isFloating, isShown, onShown } from '../stage/shown-pictures.ts';
import type { Network } from './network.ts';

type Wanted = { camera: boolean; screen: boolean };
const everything: Wanted = { camera: true, screen: true };

/** What is out of sight for a moment only, a scroll or a change of layout, goes on. */
const lingerMs = 1_500;

type Watching = Pick<Meeting, 'subscribe' | 'links' | 'say' | 'hear'> & {
  getSnapshot: () => Pick<MeetingState, 'views' | 'roster'>;
};

/**
 * Tells each of the others which of their pictures this page shows: what nobody looks at is neither
 * sent nor decoded. By link, since a new connection sends everything at first.
 */
export function watchPictures(meeting: Watching, network: Network): () => void {
  const told = new WeakMap<Link, Wanted>();
  /** The last that each was told, for whichever connection. */
  const last = new Map<string, Wanted>();
  /** Of these it is not known what their pages have heard. */
  const doubtful = new Set<string>();
  const away = new Set<string>();
  let later: ReturnType<typeof setTimeout> | undefined;
  const doubt = (id: string) => {
    if (last.has(id)) doubtful.add(id);
  };
  const tell = (lessToo: boolean) => {
    const { views, roster } = meeting.getSnapshot();
    const { paths } = network.getSnapshot();
    for (const { id, media, connected } of roster.participants) {
      if (!connected) away.add(id);
      else if (away.delete(id)) doubt(id);
      const [link, view] = [meeting.links.get(id), views.get(id)];
      if (!link?.wasConnected || !view) continue;
      const before = told.get(link) ?? everything;
      const now = wantedOf(view, media, paths.get(id)?.pictureMissing === true);
      const wanted = lessToo ? now : either(before, now);
      // What was said for the connection before may have come when this one was there.
      const isUnclear = !told.has(link) && !isSame(last.get(id) ?? everything, everything);
      if (isSame(wanted, before) && !isUnclear && !doubtful.has(id)) continue;
      if (!meeting.say({ type: 'watch', to: id, ...wanted })) continue;
      doubtful.delete(id);
      told.set(link, wanted);
      last.set(id, wanted);
      link.showsPicture = wanted.camera;
    }
  };
  const look = () => {
    tell(false);
    later ??= setTimeout(() => {
      later = undefined;
      tell(true);
    }, lingerMs);
  };
  // A connection outlives the server: what was said when that went, or while the other was away, is lost.
  meeting.hear((message) => {
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

/** Where there is no picture yet, or none for want of bandwidth, the place for it waits unseen. */
function wantedOf({ video, screen }: PeerView, media: MediaState, isMissing: boolean): Wanted {
  // A page in the background decodes for nobody, unless the browser shows a picture of it on its own.
  if (document.hidden && document.pictureInPictureElement === null) {
    return { camera: isFloating(video), screen: isFloating(screen) };
  }
  return {
    camera: !media.video || isMissing || isShown(video),
    screen: !media.screen || isShown(screen),
  };
}

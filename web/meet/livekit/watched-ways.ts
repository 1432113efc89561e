import { type RemoteParticipant, Track } from 'livekit-client';
import type { WatchedPath } from '../paths/watched-path.ts';
import { isShown } from '../stage/shown-pictures.ts';
import type { Publications } from './publications.ts';
import { streamOf } from './remote-view.ts';

type State = Pick<WatchedPath, 'connected' | 'wasConnected'>;
type Entry = Record<string, unknown>;

const cameraOf = (person: RemoteParticipant) => {
  const track = person.getTrackPublication(Track.Source.Camera)?.track;
  return track ? streamOf(track.mediaStreamTrack) : null;
};

/** What comes from one person. What this page may send is not to be read from it. */
export const wayIn = (person: RemoteParticipant, state: State): WatchedPath => ({
  ...state,
  key: person,
  sendsPicture: false,
  showsPicture: isShown(cameraOf(person)),
  picture: 'full',
  stats: async () => {
    const receivers = [...person.trackPublications.values()].flatMap(
      ({ track }) => track?.receiver ?? [],
    );
    return (await entriesOf(receivers)).map(({ availableOutgoingBitrate, ...entry }) => entry);
  },
  // The media server chooses what each of the others gets.
  sendPicture: () => {},
});

/** What goes out, once for all. */
export const wayOut = (publications: Publications, state: State): WatchedPath => ({
  ...state,
  key: publications,
  sendsPicture: true,
  showsPicture: false,
  picture: publications.picture,
  stats: () => entriesOf(publications.senders),
  sendPicture: (level) => publications.sendPicture(level),
});

/** Each entry once, however many of them report it. */
async function entriesOf(reporters: readonly (RTCRtpReceiver | RTCRtpSender)[]): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  for (const report of await Promise.all(reporters.map((one) => one.getStats()))) {
    for (const [id, entry] of report) entries.set(id, entry);
  }
  return [...entries.values()];
}

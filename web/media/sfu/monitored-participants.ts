import { type RemoteParticipant, Track } from 'livekit-client';
import type { MonitoredConnection } from '../monitored-connection.ts';
import { isShown } from '../shown/shown-videos.ts';
import type { Publications } from './publications.ts';
import { streamOf } from './remote-view.ts';

type State = Pick<MonitoredConnection, 'connected' | 'wasConnected'>;
type Entry = Record<string, unknown>;

const cameraOf = (person: RemoteParticipant) => {
  const track = person.getTrackPublication(Track.Source.Camera)?.track;
  return track ? streamOf(track.mediaStreamTrack) : null;
};

/** The media received from one participant. Their stats do not show what this page can send. */
export const monitoredInbound = (person: RemoteParticipant, state: State): MonitoredConnection => ({
  ...state,
  key: person,
  sendsVideo: false,
  showsVideo: isShown(cameraOf(person)),
  level: 'full',
  stats: async () => {
    const receivers = [...person.trackPublications.values()].flatMap(
      ({ track }) => track?.receiver ?? [],
    );
    return (await entriesOf(receivers)).map(({ availableOutgoingBitrate, ...entry }) => entry);
  },
  // The SFU chooses what each of the others receives.
  sendVideo: () => {},
});

/** What this page publishes, once for everyone. */
export const monitoredOutbound = (
  publications: Publications,
  state: State,
): MonitoredConnection => ({
  ...state,
  key: publications,
  sendsVideo: true,
  showsVideo: false,
  level: publications.level,
  stats: () => entriesOf(publications.senders),
  sendVideo: (level) => publications.sendVideo(level),
});

/** Each entry once, even if several reports contain it. */
async function entriesOf(reporters: readonly (RTCRtpReceiver | RTCRtpSender)[]): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  for (const report of await Promise.all(reporters.map((one) => one.getStats()))) {
    for (const [id, entry] of report) entries.set(id, entry);
  }
  return [...entries.values()];
}

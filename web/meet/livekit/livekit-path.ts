import {
  ConnectionState,
  type RemoteParticipant,
  type RemoteTrack,
  RemoteVideoTrack,
  Room,
  RoomEvent,
  setLogLevel,
} from 'livekit-client';
import type { Views } from '../paths/media-path.ts';
import type { PeerState, PeerView } from '../paths/peer-view.ts';
import type { MakeServerPath, ServerPath, ServerPathOptions } from '../paths/server-path.ts';
import type { WatchedPath } from '../paths/watched-path.ts';
import { othersInMeeting } from '../roster.ts';
import { Publications } from './publications.ts';
import { hasArrived, remoteView, streamOf } from './remote-view.ts';
import { shownPicture } from './shown-picture.ts';
import { wayIn, wayOut } from './watched-ways.ts';

// What goes wrong is seen by the states; the console is for what nobody expects.
setLogLevel('error');

/** How often it is looked whether media come, and asked for another way while none do. */
const lookEveryMs = 1_000;
/** Looks in a row without a packet, though others send. */
const silentLooks = 2;
const connectWithinMs = 5_000;
/** Nobody waits longer than this for another's picture before sending their own. */
const pictureWithinMs = 500;
const drawnWithinMs = 60;
/** After so many fruitless attempts the person is told why there may be no path. */
const manyFailures = 2;

export const makeServerPath: MakeServerPath = (options) => new LiveKitPath(options);

/** The media by a LiveKit server. It is told who is there by our own roster alone. */
class LiveKitPath implements ServerPath {
  readonly room: string;
  readonly #options: ServerPathOptions;
  readonly #livekit: Room;
  readonly #publications: Publications;
  readonly #timer: ReturnType<typeof setInterval>;
  #views: Views = new Map();
  #everConnected = false;
  #failures = 0;
  #closed = false;
  #asking = true;
  #packets = 0;
  #silence = 0;

  constructor(options: ServerPathOptions) {
    this.#options = options;
    this.room = options.pass.room;
    this.#livekit = new Room({
      adaptiveStream: { pixelDensity: 'screen' },
      dynacast: true,
      stopLocalTrackOnUnpublish: false,
      // The page says goodbye itself.
      disconnectOnPageLeave: false,
    });
    this.#publications = new Publications(this.#livekit.localParticipant, options.tracks);
    this.#listen();
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
    void this.#connect();
  }

  get views(): Views {
    return this.#views;
  }

  get watched(): ReadonlyMap<string, WatchedPath> {
    const { self } = this.#options.roster();
    const connected = this.#livekit.state === ConnectionState.Connected;
    const state = { connected, wasConnected: this.#everConnected };
    const ways = new Map<string, WatchedPath>();
    for (const [id, person] of this.#livekit.remoteParticipants) ways.set(id, wayIn(person, state));
    if (self !== null) ways.set(self, wayOut(this.#publications, state));
    return ways;
  }

  get isWell(): boolean {
    const { state } = this.#livekit;
    const onTheWay = state === ConnectionState.Connecting && this.#failures === 0;
    return onTheWay || (state === ConnectionState.Connected && this.#silence < silentLooks);
  }

  get isConnected(): boolean {
    return this.#livekit.state === ConnectionState.Connected;
  }

  hasArrived(id: string): boolean {
    const media = this.#options.roster().participants.find((one) => one.id === id)?.media;
    return media === undefined || hasArrived(this.#livekit.remoteParticipants.get(id), media);
  }

  follow(): void {
    this.#show();
  }

  prune(): void {
    this.#show();
  }

  putTracks(): void {
    if (this.#everConnected) this.#publications.put();
  }

  retire(): void {
    this.#asking = false;
  }

  closeAll(): void {
    this.#closed = true;
    this.#asking = false;
    clearInterval(this.#timer);
    void this.#livekit.disconnect(false);
    this.#views = new Map();
  }

  async #connect(): Promise<void> {
    const { url, token } = this.#options.pass;
    try {
      await this.#livekit.connect(url, token, {
        autoSubscribe: true,
        maxRetries: 0,
        websocketTimeout: connectWithinMs,
        peerConnectionTimeout: connectWithinMs,
      });
      this.#show();
      await this.#pictureArrives();
      if (this.#closed) return;
      this.#everConnected = true;
      this.#publications.put();
      this.#show();
    } catch (error) {
      if (this.#closed) return;
      console.warn('rapport: the media server could not be reached', error);
      this.#failures += 1;
      this.#lost();
    }
  }

  /**
   * What is sent needs another round of negotiation, and the browser has one thread for it: the others'
   * picture comes first.
   */
  async #pictureArrives(): Promise<void> {
    const until = performance.now() + pictureWithinMs;
    const isAwaited = () =>
      othersInMeeting(this.#options.roster()).some(({ media }) => media.video) &&
      !othersInMeeting(this.#options.roster()).some(
        ({ id, media }) => media.video && this.hasArrived(id),
      );
    while (isAwaited() && performance.now() < until && !this.#closed) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, drawnWithinMs));
  }

  #listen(): void {
    const show = () => this.#show();
    const lost = () => this.#lost();
    this.#livekit
      .on(RoomEvent.TrackSubscribed, (track) => this.#take(track))
      .on(RoomEvent.TrackUnsubscribed, show)
      .on(RoomEvent.ParticipantConnected, show)
      .on(RoomEvent.ParticipantDisconnected, show)
      .on(RoomEvent.Connected, show)
      .on(RoomEvent.Reconnected, show)
      .on(RoomEvent.SignalReconnecting, lost)
      .on(RoomEvent.Reconnecting, lost)
      .on(RoomEvent.Disconnected, lost);
  }

  #take(track: RemoteTrack): void {
    const { mediaStreamTrack } = track;
    mediaStreamTrack.addEventListener('unmute', () => this.#show());
    if (track instanceof RemoteVideoTrack) {
      track.observeElementInfo(shownPicture(streamOf(mediaStreamTrack)));
    }
    this.#show();
  }

  /** Says so at once: the server may know better where to go than LiveKit's client, which waits. */
  #lost(): void {
    if (this.#closed) return;
    this.#show();
    if (this.#asking) this.#options.onLost(this.room);
  }

  /** A node that hangs keeps its sockets open: then it is the packets that tell. */
  async #look(): Promise<void> {
    const packets = await arrivedPackets(this.#livekit.remoteParticipants.values());
    const expected = othersInMeeting(this.#options.roster()).some(
      ({ id, connected, media }) =>
        connected && (media.audio || media.video) && this.#livekit.remoteParticipants.has(id),
    );
    this.#silence = expected && packets === this.#packets && packets > 0 ? this.#silence + 1 : 0;
    this.#packets = packets;
    if (!this.isWell) this.#lost();
  }

  #show(): void {
    if (this.#closed) return;
    const views = new Map<string, PeerView>();
    for (const { id } of othersInMeeting(this.#options.roster())) {
      const person = this.#livekit.remoteParticipants.get(id);
      views.set(id, remoteView(person, this.#stateOf(person)));
    }
    this.#views = views;
    this.#options.onViews();
  }

  #stateOf(person: RemoteParticipant | undefined): PeerState {
    if (this.isConnected) return person ? 'connected' : 'connecting';
    if (this.#everConnected) return 'interrupted';
    return this.#failures >= manyFailures ? 'unreachable' : 'connecting';
  }
}

async function arrivedPackets(people: Iterable<RemoteParticipant>): Promise<number> {
  let packets = 0;
  for (const person of people) {
    for (const { track } of person.trackPublications.values()) {
      const report = await track?.receiver?.getStats();
      for (const entry of report?.values() ?? []) {
        if (entry.type === 'inbound-rtp') packets += entry.packetsReceived ?? 0;
      }
    }
  }
  return packets;
}

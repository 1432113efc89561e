import {
  ConnectionState,
  type RemoteParticipant,
  type RemoteTrack,
  RemoteVideoTrack,
  Room,
  RoomEvent,
  setLogLevel,
} from 'livekit-client';
import { othersInMeeting } from '#web/live/roster.ts';
import type { MonitoredConnection } from '../monitored-connection.ts';
import type { PeerState, PeerView } from '../peer-view.ts';
import type { Views } from '../transport.ts';
import { elementInfoOf } from './element-info.ts';
import { monitoredInbound, monitoredOutbound } from './monitored-participants.ts';
import { Publications } from './publications.ts';
import { hasArrived, remoteView, streamOf } from './remote-view.ts';
import type { MakeSfuTransport, SfuTransport, SfuTransportOptions } from './sfu-transport.ts';

// Failures show in the states; the console is only for unexpected errors.
setLogLevel('error');

/** How often the transport checks that media arrive, and reports that they do not. */
const lookEveryMs = 1_000;
/** Checks in a row without a packet, although others send. */
const silentLooks = 2;
const connectWithinMs = 5_000;
/** How long this page waits for another video before it publishes its own. */
const videoWithinMs = 500;
const drawnWithinMs = 60;
/** After this many failed attempts the page explains why there may be no connection. */
const manyFailures = 2;

export const makeSfuTransport: MakeSfuTransport = (options) => new LiveKitTransport(options);

/** Carries media through a LiveKit server. Only Rapport's roster decides who is in the meeting. */
class LiveKitTransport implements SfuTransport {
  readonly room: string;
  readonly #options: SfuTransportOptions;
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

  constructor(options: SfuTransportOptions) {
    this.#options = options;
    this.room = options.access.room;
    this.#livekit = new Room({
      adaptiveStream: { pixelDensity: 'screen' },
      dynacast: true,
      stopLocalTrackOnUnpublish: false,
      // The page itself sends `leave` when it closes.
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

  get monitored(): ReadonlyMap<string, MonitoredConnection> {
    const { self } = this.#options.roster();
    const connected = this.#livekit.state === ConnectionState.Connected;
    const state = { connected, wasConnected: this.#everConnected };
    const monitored = new Map<string, MonitoredConnection>();
    for (const [id, person] of this.#livekit.remoteParticipants) {
      monitored.set(id, monitoredInbound(person, state));
    }
    if (self !== null) monitored.set(self, monitoredOutbound(this.#publications, state));
    return monitored;
  }

  get isWell(): boolean {
    const { state } = this.#livekit;
    const isConnecting = state === ConnectionState.Connecting && this.#failures === 0;
    return isConnecting || (state === ConnectionState.Connected && this.#silence < silentLooks);
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
    const { url, token } = this.#options.access;
    try {
      await this.#livekit.connect(url, token, {
        autoSubscribe: true,
        maxRetries: 0,
        websocketTimeout: connectWithinMs,
        peerConnectionTimeout: connectWithinMs,
      });
      this.#show();
      await this.#videoArrives();
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
   * Publishing needs another negotiation, and the browser has one thread for both: the video of the
   * others comes first.
   */
  async #videoArrives(): Promise<void> {
    const until = performance.now() + videoWithinMs;
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
      track.observeElementInfo(elementInfoOf(streamOf(mediaStreamTrack)));
    }
    this.#show();
  }

  /** Asks the server immediately: it may name another room, while LiveKit's client waits. */
  #lost(): void {
    if (this.#closed) return;
    this.#show();
    if (this.#asking) this.#options.onLost(this.room);
  }

  /** A node that hangs keeps its sockets open, so only missing packets show it. */
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

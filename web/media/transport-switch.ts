import type { ToBrowser } from '#domain/calls/live.ts';
import { othersInMeeting, type Roster } from '#web/live/roster.ts';
import { Mesh, type MeshOptions } from './mesh/mesh.ts';
import type { PeerConnection } from './mesh/peer-connection.ts';
import type { MonitoredConnection } from './monitored-connection.ts';
import type { PeerView } from './peer-view.ts';
import type { MakeSfuTransport, SfuTransport } from './sfu/sfu-transport.ts';
import type { SfuAccess, Transport, Views } from './transport.ts';

type TransportSwitchOptions = Omit<MeshOptions, 'onViews'> & {
  loadSfuTransport: () => Promise<MakeSfuTransport>;
  roster: () => Roster;
  onViews: (views: Views) => void;
  /** @returns whether the server was asked */
  onLost: (room: string) => boolean;
};

/** A participant who has not arrived after this time cannot reach the new transport. */
const longestMoveMs = 8_000;
/** How long LiveKit's client may take to reconnect before another connection is made beside it. */
const reconnectMs = 2_000;

/**
 * The transport in use and, while participants move, the one before it: first the mesh, then an SFU,
 * then perhaps another SFU. The previous transport is closed when everyone has arrived on the new one.
 */
export class TransportSwitch {
  readonly #options: TransportSwitchOptions;
  readonly #mesh: Mesh;
  #sfu: SfuTransport | null = null;
  #previous: Transport | null = null;
  #bySfu = false;
  #opened = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lostAt: number | null = null;

  constructor(options: TransportSwitchOptions) {
    this.#options = options;
    this.#mesh = new Mesh({ ...options, onViews: () => this.#show() });
  }

  /** The peer connections of the mesh. */
  get peerConnections(): ReadonlyMap<string, PeerConnection> {
    return this.#mesh.peerConnections;
  }

  get monitored(): ReadonlyMap<string, MonitoredConnection> {
    return (this.#sfu ?? this.#mesh).monitored;
  }

  /** Whether media of every other participant arrives at this moment, from page to page. */
  get receivesDirectly(): boolean {
    return !this.#bySfu && this.#mesh.receives;
  }

  /** This page has just joined the meeting, or has to connect to everyone again. */
  enter(roster: Roster, offered?: string): void {
    if (!this.#bySfu) void this.#mesh.offerToAll(roster, offered);
  }

  /** Must also be called before this page has joined: the welcome names the transport. */
  learn(message: ToBrowser): void {
    if (message.type === 'welcome' && message.byServer) this.#bySfu = true;
    if (message.type === 'media-server') void this.#move(message);
  }

  follow(message: ToBrowser, before: Roster, after: Roster): void {
    this.#sfu?.follow(message, before, after);
    if (!this.#bySfu) this.#mesh.follow(message, before, after);
    else this.#mesh.prune(after);
  }

  prune(roster: Roster): void {
    this.#sfu?.prune(roster);
    this.#mesh.prune(roster);
  }

  putTracks(): void {
    this.#sfu?.putTracks();
    this.#previous?.putTracks();
    if (!this.#sfu) this.#mesh.putTracks();
  }

  closeAll(): void {
    this.#opened += 1;
    this.#bySfu = false;
    this.#lostAt = null;
    clearTimeout(this.#timer);
    this.#previous?.closeAll();
    this.#sfu?.closeAll();
    this.#mesh.closeAll();
    this.#previous = null;
    this.#sfu = null;
    this.#show();
  }

  #show(): void {
    const { onViews } = this.#options;
    const sfu = this.#sfu;
    if (sfu && this.#previous && this.#everyoneArrived(sfu)) this.#closePrevious();
    if (!sfu) onViews(this.#mesh.views);
    else onViews(this.#previous ? this.#merged(sfu, this.#previous) : sfu.views);
  }

  async #move(access: SfuAccess): Promise<void> {
    this.#bySfu = true;
    const known = this.#sfu;
    if (known?.room === access.room) {
      if (known.isWell) return;
      const now = performance.now();
      const lostForMs = now - (this.#lostAt ?? now);
      // The client asks the server again soon, and this method runs again.
      if (known.isConnected === false && lostForMs < reconnectMs) return;
    }
    this.#opened += 1;
    const mine = this.#opened;
    const make = await this.#options.loadSfuTransport();
    if (mine !== this.#opened) return;
    this.#replace(make, access);
  }

  #replace(make: MakeSfuTransport, access: SfuAccess): void {
    const { tracks, roster } = this.#options;
    const left = this.#sfu;
    left?.retire();
    // Of two replaced transports, the one that still shows video stays.
    if (this.#previous && left) left.closeAll();
    else this.#previous = left ?? this.#mesh;
    this.#lostAt = null;
    this.#sfu = make({
      access,
      tracks,
      roster,
      onViews: () => this.#show(),
      onLost: (room) => this.#lost(room),
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stopWaiting(), longestMoveMs);
    this.#show();
  }

  #lost(room: string): void {
    if (room !== this.#sfu?.room) return;
    this.#lostAt ??= performance.now();
    this.#options.onLost(room);
  }

  #everyoneArrived(sfu: SfuTransport): boolean {
    if (!sfu.isConnected) return false;
    return othersInMeeting(this.#options.roster()).every(
      ({ id, connected }) => !connected || sfu.hasArrived(id),
    );
  }

  /** While the SFU cannot be reached, the previous transport is better than none. */
  #stopWaiting(): void {
    if (this.#sfu?.isConnected) this.#closePrevious();
    else this.#timer = setTimeout(() => this.#stopWaiting(), longestMoveMs);
    this.#show();
  }

  #closePrevious(): void {
    clearTimeout(this.#timer);
    const previous = this.#previous;
    this.#previous = null;
    previous?.closeAll();
  }

  #merged(sfu: SfuTransport, previous: Transport): Views {
    const views = new Map<string, PeerView>(previous.views);
    for (const [id, view] of sfu.views) {
      if (!views.has(id) || (sfu.isConnected && sfu.hasArrived(id))) views.set(id, view);
    }
    return views;
  }
}

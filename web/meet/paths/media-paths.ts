import type { ToBrowser } from '#domain/calls/live.ts';
import { othersInMeeting, type Roster } from '../roster.ts';
import type { Link } from './link.ts';
import type { MediaPass, MediaPath, Views } from './media-path.ts';
import type { Mesh } from './mesh.ts';
import type { PeerView } from './peer-view.ts';
import type { MakeServerPath, ServerPath } from './server-path.ts';
import type { WatchedPath } from './watched-path.ts';
import type { Tracks } from './webrtc.ts';

type MediaPathsOptions = {
  mesh: Mesh;
  loadServerPath: () => Promise<MakeServerPath>;
  tracks: () => Tracks;
  roster: () => Roster;
  onViews: (views: Views) => void;
  /** @returns whether the server was asked */
  onLost: (room: string) => boolean;
};

/** Who has not come over by then has no way there. */
const longestMoveMs = 8_000;
/** LiveKit's client gets this long to mend its own connection before another is made beside it. */
const mendItselfMs = 2_000;

/**
 * The way that the media go, and while they move the way before: from browser to browser, then by a
 * media server, then by another. What was is dropped when everybody has arrived on what comes.
 */
export class MediaPaths {
  readonly #options: MediaPathsOptions;
  #server: ServerPath | null = null;
  #before: MediaPath | null = null;
  #byServer = false;
  #opened = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lostAt: number | null = null;

  constructor(options: MediaPathsOptions) {
    this.#options = options;
  }

  /** From browser to browser. */
  get links(): ReadonlyMap<string, Link> {
    return this.#options.mesh.links;
  }

  get watched(): ReadonlyMap<string, WatchedPath> {
    return (this.#server ?? this.#options.mesh).watched;
  }

  /** This page has just come into the meeting, or must begin anew with everybody. */
  enter(roster: Roster, offered?: string): void {
    if (!this.#byServer) void this.#options.mesh.offerToAll(roster, offered);
  }

  /** Also before this page is in: what carries the media is known from the welcome on. */
  learn(message: ToBrowser): void {
    if (message.type === 'welcome' && message.byServer) this.#byServer = true;
    if (message.type === 'media-server') void this.#move(message);
  }

  follow(message: ToBrowser, before: Roster, after: Roster): void {
    this.#server?.follow(message, before, after);
    if (!this.#byServer) this.#options.mesh.follow(message, before, after);
    else this.#options.mesh.prune(after);
  }

  prune(roster: Roster): void {
    this.#server?.prune(roster);
    this.#options.mesh.prune(roster);
  }

  putTracks(): void {
    this.#server?.putTracks();
    this.#before?.putTracks();
    if (!this.#server) this.#options.mesh.putTracks();
  }

  closeAll(): void {
    this.#opened += 1;
    this.#byServer = false;
    this.#lostAt = null;
    clearTimeout(this.#timer);
    this.#before?.closeAll();
    this.#server?.closeAll();
    this.#options.mesh.closeAll();
    this.#before = null;
    this.#server = null;
    this.show();
  }

  show(): void {
    const { mesh, onViews } = this.#options;
    const server = this.#server;
    if (server && this.#before && this.#everybodyArrived(server)) this.#drop();
    if (!server) onViews(mesh.views);
    else onViews(this.#before ? this.#merged(server, this.#before) : server.views);
  }

  async #move(pass: MediaPass): Promise<void> {
    this.#byServer = true;
    const known = this.#server;
    if (known?.room === pass.room) {
      if (known.isWell) return;
      const now = performance.now();
      const lostForMs = now - (this.#lostAt ?? now);
      // It asks again soon, and then gets here.
      if (known.isConnected === false && lostForMs < mendItselfMs) return;
    }
    this.#opened += 1;
    const mine = this.#opened;
    const make = await this.#options.loadServerPath();
    if (mine !== this.#opened) return;
    this.#replace(make, pass);
  }

  #replace(make: MakeServerPath, pass: MediaPass): void {
    const { tracks, roster, mesh } = this.#options;
    const left = this.#server;
    left?.retire();
    // Of two that are left behind one after the other, the one that still shows something stays.
    if (this.#before && left) left.closeAll();
    else this.#before = left ?? mesh;
    this.#lostAt = null;
    this.#server = make({
      pass,
      tracks,
      roster,
      onViews: () => this.show(),
      onLost: (room) => this.#lost(room),
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUpWaiting(), longestMoveMs);
    this.show();
  }

  #lost(room: string): void {
    if (room !== this.#server?.room) return;
    this.#lostAt ??= performance.now();
    this.#options.onLost(room);
  }

  #everybodyArrived(server: ServerPath): boolean {
    if (!server.isConnected) return false;
    return othersInMeeting(this.#options.roster()).every(
      ({ id, connected }) => !connected || server.hasArrived(id),
    );
  }

  /** While the media server cannot be reached, the way before is better than none. */
  #giveUpWaiting(): void {
    if (this.#server?.isConnected) this.#drop();
    else this.#timer = setTimeout(() => this.#giveUpWaiting(), longestMoveMs);
    this.show();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const before = this.#before;
    this.#before = null;
    before?.closeAll();
  }

  #merged(server: ServerPath, before: MediaPath): Views {
    const views = new Map<string, PeerView>(before.views);
    for (const [id, view] of server.views) {
      if (!views.has(id) || (server.isConnected && server.hasArrived(id))) views.set(id, view);
    }
    return views;
  }
}

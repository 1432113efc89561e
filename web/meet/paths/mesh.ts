import type { Signal, ToBrowser } from '#domain/calls/live.ts';
import type { EarlyOffer } from '../early/early-offer.ts';
import { othersInMeeting, type Roster } from '../roster.ts';
import type { Link } from './link.ts';
import type { MediaPath, Views } from './media-path.ts';
import { Peer } from './peer.ts';
import type { PeerView } from './peer-view.ts';
import { sendWatched } from './picture-size.ts';
import { watchedLink } from './watched-link.ts';
import type { WatchedPath } from './watched-path.ts';
import type { Connection, Tracks } from './webrtc.ts';

export type MeshOptions = {
  /** Somebody is about to offer. */
  prepare: () => void;
  makeConnection: () => Connection;
  beginOffer: () => EarlyOffer;
  newId: () => string;
  send: (to: string, signal: Signal) => boolean;
  online: () => boolean;
  tracks: () => Tracks;
  onViews: (views: Views) => void;
};

/**
 * A connection to each of the others. Who comes offers to everybody there; who is there waits for
 * the offer of who comes, and offers only when none comes.
 */
export class Mesh implements MediaPath {
  readonly #options: MeshOptions;
  readonly #peers = new Map<string, Peer>();
  #views: Views = new Map();
  #roster: Roster | null = null;

  constructor(options: MeshOptions) {
    this.#options = options;
  }

  /** Takes a message of the server, with the roster before and after it. */
  follow(message: ToBrowser, before: Roster, after: Roster): void {
    this.prune(after);
    switch (message.type) {
      case 'welcome':
        if (message.resumed) this.#resumeAll();
        else void this.offerToAll(after, message.offered);
        break;
      case 'joined':
        this.#follow(message.participant.id, before, after, true);
        break;
      case 'changed':
        this.#follow(message.participant.id, before, after);
        break;
      case 'watched': {
        const link = this.#peers.get(message.from)?.link;
        if (link) sendWatched(link, { camera: message.camera, screen: message.screen });
        break;
      }
      case 'restarted':
        this.#peers.get(message.participantId)?.expectOffer();
        break;
      case 'signal':
        this.#receive(message.from, message.signal, after);
        break;
    }
  }

  /**
   * This page has just come into the meeting, or must begin anew with everybody.
   * @param offered to whom the server has passed on the offer of the hello
   */
  async offerToAll(roster: Roster, offered?: string): Promise<void> {
    this.#roster = roster;
    // Who is missing after a restart of the server comes back by itself, and offers then.
    const present = othersInMeeting(roster).filter(({ id }) => !roster.missing.includes(id));
    const offers = present
      .sort((a, b) => Number(b.id === offered) - Number(a.id === offered))
      .map(({ id }) => this.#offerTo(this.#peerOf(id, roster), id === offered));
    await Promise.all(offers);
  }

  /** The session is new, but a connection that carries media has nothing to gain from another one. */
  async #offerTo(peer: Peer, isOffered: boolean): Promise<void> {
    if (peer.isWell) peer.resume('own');
    else await peer.offer(isOffered);
  }

  /** The connections in use, by the participant at their other end. */
  get links(): ReadonlyMap<string, Link> {
    const links = new Map<string, Link>();
    for (const [id, { link }] of this.#peers) if (link) links.set(id, link);
    return links;
  }

  get views(): Views {
    return this.#views;
  }

  get watched(): ReadonlyMap<string, WatchedPath> {
    return new Map([...this.links].map(([id, link]) => [id, watchedLink(link)]));
  }

  putTracks(): void {
    for (const peer of this.#peers.values()) peer.putTracks();
  }

  closeAll(): void {
    for (const id of [...this.#peers.keys()]) this.#close(id);
  }

  /** @param isNew who is known already has a session on another process, or after a restart of the server */
  #follow(id: string, before: Roster, after: Roster, isNew = false): void {
    const was = othersInMeeting(before).find((one) => one.id === id);
    const is = othersInMeeting(after).find((one) => one.id === id);
    if (is === undefined) return;
    const cameBack = before.missing.includes(id) && !after.missing.includes(id);
    if (was === undefined || cameBack) {
      const peer = this.#peerOf(id, after);
      peer.expectOffer();
      if (!peer.isWell) this.#options.prepare();
      return;
    }
    const peer = this.#peers.get(id);
    if ((!was.connected && is.connected) || (isNew && peer?.isWell)) peer?.resume('other');
  }

  #receive(from: string, signal: Signal, roster: Roster): void {
    const present = othersInMeeting(roster).some((one) => one.id === from);
    if (present) void this.#peerOf(from, roster).receive(signal);
  }

  #resumeAll(): void {
    for (const peer of this.#peers.values()) peer.resume('own');
  }

  /** Closes the connections to those who are no longer there. */
  prune(roster: Roster): void {
    this.#roster = roster;
    const present = new Set(othersInMeeting(roster).map((one) => one.id));
    for (const id of [...this.#peers.keys()]) if (!present.has(id)) this.#close(id);
  }

  #peerOf(id: string, roster: Roster): Peer {
    const known = this.#peers.get(id);
    if (known) return known;
    const peer = new Peer({
      // Both sides come to opposite answers by the same comparison.
      polite: (roster.self ?? '') < id,
      makeConnection: this.#options.makeConnection,
      beginOffer: this.#options.beginOffer,
      newId: this.#options.newId,
      reachable: () => this.#options.online() && this.#isConnected(id),
      send: (signal) => this.#options.send(id, signal),
      tracks: this.#options.tracks,
      onView: (view) => this.#show(id, view),
    });
    this.#peers.set(id, peer);
    return peer;
  }

  #isConnected(id: string): boolean {
    return this.#roster?.participants.some((one) => one.id === id && one.connected) ?? false;
  }

  #close(id: string): void {
    this.#peers.get(id)?.close();
    this.#peers.delete(id);
    this.#show(id, null);
  }

  #show(id: string, view: PeerView | null): void {
    const views = new Map(this.#views);
    if (view === null) views.delete(id);
    else views.set(id, view);
    this.#views = views;
    this.#options.onViews(views);
  }
}

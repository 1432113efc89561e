import type { ToBrowser } from '#domain/calls/live.ts';
import type { Signal } from '#domain/calls/signal.ts';
import { othersInMeeting, type Roster } from '#web/live/roster.ts';
import type { EarlyOffer } from '../early/early-offer.ts';
import type { MonitoredConnection } from '../monitored-connection.ts';
import type { PeerView } from '../peer-view.ts';
import type { Transport, Views } from '../transport.ts';
import type { Connection, Tracks } from '../webrtc.ts';
import { Packets } from './packets.ts';
import { Peer } from './peer.ts';
import type { PeerConnection } from './peer-connection.ts';
import { monitoredPeer, sendWanted } from './sent-video.ts';

export type MeshOptions = {
  /** Another page is about to offer. */
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
 * A peer connection to each of the other participants. A page that joins offers to everyone present; a
 * page that is present waits for that offer, and offers itself only when none arrives.
 */
export class Mesh implements Transport {
  readonly #options: MeshOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #packets = new Packets();
  #views: Views = new Map();
  #roster: Roster | null = null;

  constructor(options: MeshOptions) {
    this.#options = options;
  }

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
        const pc = this.#peers.get(message.from)?.pc;
        if (pc) sendWanted(pc, { camera: message.camera, screen: message.screen });
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
   * This page has just joined the meeting, or has to connect to everyone again.
   * @param offered the participant to whom the server passed on the offer of the hello
   */
  async offerToAll(roster: Roster, offered?: string): Promise<void> {
    this.#roster = roster;
    // A participant who is missing after a restart of the server offers when it is back.
    const present = othersInMeeting(roster).filter(({ id }) => !roster.missing.includes(id));
    const offers = present
      .sort((a, b) => Number(b.id === offered) - Number(a.id === offered))
      .map(({ id }) => this.#offerTo(this.#peerOf(id, roster), id === offered));
    await Promise.all(offers);
  }

  /** The session is new, but a peer connection that carries media needs no replacement. */
  async #offerTo(peer: Peer, isOffered: boolean): Promise<void> {
    if (peer.isWell) peer.resume('own');
    else await peer.offer(isOffered);
  }

  /** The peer connections in use, by the participant at the other end. */
  get peerConnections(): ReadonlyMap<string, PeerConnection> {
    const peerConnections = new Map<string, PeerConnection>();
    for (const [id, { pc }] of this.#peers) if (pc) peerConnections.set(id, pc);
    return peerConnections;
  }

  get views(): Views {
    return this.#views;
  }

  get monitored(): ReadonlyMap<string, MonitoredConnection> {
    return new Map([...this.peerConnections].map(([id, pc]) => [id, monitoredPeer(pc)]));
  }

  /** Whether packets of every other participant arrive at this moment. */
  get receives(): boolean {
    const connections = [...this.peerConnections.values()].map(({ connection }) => connection);
    return connections.length === this.#peers.size && this.#packets.arriveOn(connections);
  }

  putTracks(): void {
    for (const peer of this.#peers.values()) peer.putTracks();
  }

  closeAll(): void {
    for (const id of [...this.#peers.keys()]) this.#close(id);
  }

  /** @param isNew the participant has a new session: on another process, or after a restart of the server */
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

  prune(roster: Roster): void {
    this.#roster = roster;
    const present = new Set(othersInMeeting(roster).map((one) => one.id));
    for (const id of [...this.#peers.keys()]) if (!present.has(id)) this.#close(id);
  }

  #peerOf(id: string, roster: Roster): Peer {
    const known = this.#peers.get(id);
    if (known) return known;
    const peer = new Peer({
      // Both sides make the same comparison and get opposite results.
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

import type { Signal } from '#domain/calls/live.ts';
import type { EarlyOffer } from '../early/early-offer.ts';
import {
  addCandidate,
  type Link,
  openLink,
  personWays,
  pictureArrives,
  putTracks,
} from './link.ts';
import { type PeerView, viewOf } from './peer-view.ts';
import { beginSmall, growSoon } from './picture-size.ts';
import type { Connection, Tracks } from './webrtc.ts';

export type PeerOptions = {
  /** Of two who offer at once the polite one gives way. */
  polite: boolean;
  /** Whether a signal sent now would arrive. */
  reachable: () => boolean;
  makeConnection: () => Connection;
  beginOffer: () => EarlyOffer;
  newId: () => string;
  send: (signal: Signal) => boolean;
  tracks: () => Tracks;
  onView: (view: PeerView) => void;
};

/** A connection that fell silent gets this long before its path is sought anew. */
const interruptedMs = 1_000;
/** With no connection after this long something was lost: begin anew. The polite waits longer. */
const startOverMs = { polite: 6_000, impolite: 4_000 };
const longestStartOverMs = 15_000;
/** A replaced picture is kept at most this long beside the new connection. */
const longestRelayMs = 3_000;
/** The other side's new picture may come later than ours: until then it shows the old one. */
const othersRelayMs = 1_500;
/** An offer that should come from the other side by itself is not waited for longer than this. */
const awaitOfferMs = { polite: 2_500, impolite: 1_500 };

/**
 * The media path to one other person: perfect negotiation (W3C WebRTC 1.0, section 10.7) with three
 * changes. Each pair of connections has an id, so that a side which began anew is understood at
 * once; a replaced connection goes on showing its picture until the new one is connected; and no
 * offer is taken back, since after that Chromium (156) shows no further picture of the other side.
 */
export class Peer {
  readonly #options: PeerOptions;
  #link: Link | null = null;
  #retiring: Link | null = null;
  /** No longer shown here, but perhaps by the other side. */
  readonly #relieved = new Set<Link>();
  /** The ids of connections that were replaced: what is still said about them comes too late. */
  readonly #left = new Set<string>();
  #closed = false;
  #failures = 0;
  #everConnected = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /**
   * Begins a connection, beside the one there may be.
   * @param isOffered the other side has the early offer already: it went along with the hello
   */
  offer(isOffered = false): Promise<void> {
    const early = this.#options.beginOffer();
    const wentAhead = isOffered && early.isSaid;
    const link = this.#open(wentAhead ? early.id : this.#options.newId(), early);
    link.offeredFirst = true;
    this.putTracks();
    const offered = wentAhead
      ? this.#sayFound(link, early.found)
      : this.#negotiate(link, early.described);
    this.#startOverAfter(this.#patience());
    this.#show();
    return offered;
  }

  /**
   * The other side has a new session: where it is a new page, too, its offer is on the way. After a
   * restart of the server it is the same page, and what carries the media is left alone; only what
   * was said when the server went may be lost.
   */
  expectOffer(): void {
    if (this.isWell) this.resume('other');
    else this.#retire();
    this.#startOverAfter(awaitOfferMs[this.#manners]);
  }

  /** Either side's line to the server is back: says again what may have been lost on it. */
  resume(whose: 'own' | 'other'): void {
    const link = this.#link;
    if (link === null) return;
    const { connection } = link;
    const unanswered = connection.signalingState === 'have-local-offer';
    const seekPath = whose === 'own' && connection.connectionState !== 'connected';
    if (seekPath) connection.restartIce();
    if (unanswered || seekPath) void this.#negotiate(link);
  }

  /** Signals are taken one after the other, in the order in which they came. */
  receive(signal: Signal): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#take(signal))
      .catch((error) => {
        console.warn('rapport: a signal could not be used', error);
      });
    return this.#queue;
  }

  putTracks(): void {
    for (const link of [this.#link, this.#retiring, ...this.#relieved]) {
      if (link) putTracks(link, this.#options.tracks());
    }
  }

  /** Media flow: nothing needs to begin anew. */
  get isWell(): boolean {
    return this.#link?.connection.connectionState === 'connected';
  }

  /** The connection that is in use, or being made. */
  get link(): Link | null {
    return this.#link;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#link?.connection.close();
    this.#retiring?.connection.close();
    this.#link = null;
    this.#retiring = null;
    for (const relieved of this.#relieved) this.#drop(relieved);
  }

  async #take({ connection: id = '', description, again, candidate }: Signal): Promise<void> {
    if (this.#closed) return;
    const link = this.#link;
    // The other side speaks of a connection to the page that was here before this one.
    if (again && link?.id !== id) return;
    if (description?.type === 'offer') return this.#takeOffer(id, description.sdp ?? '');
    if (link === null || link.id !== id) return;
    if (description?.type === 'answer' && link.connection.signalingState === 'have-local-offer') {
      await link.connection.setRemoteDescription({ type: 'answer', sdp: description.sdp ?? '' });
      link.answered = true;
      this.#show();
    }
    if (candidate !== undefined) await addCandidate(link, candidate);
  }

  async #takeOffer(id: string, sdp: string): Promise<void> {
    const link = this.#wins(id);
    if (link === null) return;
    link.ignoring = false;
    await link.connection.setRemoteDescription({ type: 'offer', sdp });
    for (const way of Object.values(personWays(link))) {
      way.direction = 'sendrecv';
      way.sender.setStreams?.(link.outgoing);
    }
    if (!link.answered) beginSmall(link);
    this.putTracks();
    await link.connection.setLocalDescription();
    this.#sendDescription(link);
    link.answered = true;
    this.putTracks();
    this.#show();
  }

  /** The link that an offer is for, or null where the own offer stands against it. */
  #wins(id: string): Link | null {
    const link = this.#link;
    if (this.#left.has(id)) return null;
    if (link?.id === id) {
      link.ignoring = link.offering || link.connection.signalingState !== 'stable';
      if (link.ignoring && this.#options.polite) void this.offer();
      return link.ignoring ? null : link;
    }
    const ownOfferStands = link?.offeredFirst && !link.answered && !this.#options.polite;
    if (ownOfferStands) return null;
    // A first offer that is given way to leaves nothing worth rolling back: begin clean.
    const connection = this.#options.makeConnection();
    const opened = this.#open(id, { connection, outgoing: new MediaStream() });
    this.#startOverAfter(this.#patience());
    return opened;
  }

  async #sayFound({ id }: Link, found: EarlyOffer['found']): Promise<void> {
    for (const candidate of found) this.#options.send({ connection: id, candidate });
  }

  async #negotiate(link: Link, described = link.connection.setLocalDescription()): Promise<void> {
    try {
      link.offering = true;
      await described;
      if (link === this.#link) this.#sendDescription(link);
    } catch (error) {
      // Another description came between: the connection says again when it needs negotiation.
      console.warn('rapport: an offer could not be made', error);
    } finally {
      link.offering = false;
    }
  }

  #sendDescription(link: Link): void {
    const description = link.connection.localDescription;
    if (description === null) return;
    const { type, sdp } = description;
    const again = type === 'offer' && link.answered;
    this.#options.send({
      connection: link.id,
      description: { type, sdp },
      ...(again && { again }),
    });
  }

  #open(id: string, way: Pick<Link, 'connection' | 'outgoing'>): Link {
    this.#retire();
    const link = openLink(id, way, {
      onCandidate: (candidate) => this.#options.send({ connection: id, candidate }),
      onNeeded: () => {
        if (link === this.#link && link.answered) void this.#negotiate(link);
      },
      onState: () => this.#linkChanged(link),
    });
    this.#link = link;
    return link;
  }

  #retire(): void {
    const link = this.#link;
    this.#link = null;
    if (link) this.#left.add(link.id);
    if (link?.wasConnected) {
      this.#retiring?.connection.close();
      this.#retiring = link;
    } else link?.connection.close();
  }

  #linkChanged(link: Link): void {
    if (link !== this.#link) return;
    const state = link.connection.connectionState;
    if (state === 'connected') this.#connected(link);
    if (state === 'failed') this.#seekPath(link);
    if (state === 'disconnected') this.#startOverAfter(interruptedMs);
    this.#show();
  }

  #connected(link: Link): void {
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#everConnected = true;
    link.wasConnected = true;
    growSoon(link);
    if (this.#retiring) void this.#relieve(link, this.#retiring);
  }

  /** The older picture goes when the newer one is there, on both sides. */
  async #relieve(link: Link, retiring: Link): Promise<void> {
    await pictureArrives(link, longestRelayMs);
    if (this.#closed || this.#retiring !== retiring) return;
    this.#retiring = null;
    this.#show();
    this.#relieved.add(retiring);
    setTimeout(() => this.#drop(retiring), othersRelayMs);
  }

  #drop(relieved: Link): void {
    relieved.connection.close();
    this.#relieved.delete(relieved);
  }

  #seekPath(link: Link): void {
    link.connection.restartIce();
    this.#startOverAfter(this.#patience());
  }

  #startOverAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startOver(), waitMs);
  }

  #startOver(): void {
    const link = this.#link;
    if (this.isWell) return;
    if (!this.#options.reachable()) this.#startOverAfter(interruptedMs);
    else if (link?.connection.connectionState === 'disconnected') this.#seekPath(link);
    else {
      this.#failures += 1;
      void this.offer();
    }
  }

  #patience(): number {
    return Math.min(longestStartOverMs, startOverMs[this.#manners] * (1 + this.#failures));
  }

  get #manners(): 'polite' | 'impolite' {
    return this.#options.polite ? 'polite' : 'impolite';
  }

  #show(): void {
    if (this.#closed) return;
    const history = { everConnected: this.#everConnected, failures: this.#failures };
    this.#options.onView(viewOf(this.#retiring ?? this.#link, history));
  }
}

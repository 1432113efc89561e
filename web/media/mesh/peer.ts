import type { Signal } from '#domain/calls/signal.ts';
import type { EarlyOffer } from '../early/early-offer.ts';
import { viewOf } from '../peer-view.ts';
import {
  addCandidate,
  openPeerConnection,
  type PeerConnection,
  personTransceivers,
  putTracks,
  videoArrives,
} from './peer-connection.ts';
import type { PeerOptions } from './peer-options.ts';
import {
  awaitOfferMs,
  interruptedMs,
  longestOverlapMs,
  longestStartOverMs,
  othersOverlapMs,
  startOverMs,
} from './peer-timing.ts';
import { beginSmall, growSoon } from './sent-video.ts';
import { SignalQueue } from './signal-queue.ts';

/**
 * The peer connection to one other participant: perfect negotiation (W3C WebRTC 1.0, section 10.7)
 * with three changes. Each pair of connections has an id, so that a side that starts over is
 * recognized immediately; a replaced connection keeps showing its video until the new one is
 * connected; and no offer is rolled back, because after a rollback Chromium (156) shows no further
 * video of the other side.
 */
export class Peer {
  readonly #options: PeerOptions;
  #pc: PeerConnection | null = null;
  #replaced: PeerConnection | null = null;
  /** No longer shown here, but perhaps by the other side. */
  readonly #closing = new Set<PeerConnection>();
  /** The ids of connections that were replaced: signals about them are ignored. */
  readonly #replacedIds = new Set<string>();
  #closed = false;
  #failures = 0;
  #everConnected = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #signals = new SignalQueue();

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /**
   * Offers a new connection, beside the one that may exist.
   * @param isOffered the other side has the early offer already: the hello carried it
   */
  offer(isOffered = false): Promise<void> {
    const early = this.#options.beginOffer();
    const isEarly = isOffered && early.isSent;
    const pc = this.#open(isEarly ? early.id : this.#options.newId(), early);
    pc.offeredFirst = true;
    this.putTracks();
    const offered = isEarly
      ? this.#sendFound(pc, early.found)
      : this.#negotiate(pc, early.described);
    this.#startOverAfter(this.#backoff());
    this.#show();
    return offered;
  }

  /**
   * The other side has a new session. If its page is new, too, its offer is on the way. After a restart
   * of the server the page is the same, and a connection that carries media stays; only signals that
   * were sent while the server was down may be lost.
   */
  expectOffer(): void {
    if (this.isWell) this.resume('other');
    else this.#replace();
    this.#startOverAfter(awaitOfferMs[this.#side]);
  }

  /** The socket of either side is back: sends again what may have been lost on it. */
  resume(whose: 'own' | 'other'): void {
    const pc = this.#pc;
    if (pc === null) return;
    const { connection } = pc;
    const unanswered = connection.signalingState === 'have-local-offer';
    const needsRestart = whose === 'own' && connection.connectionState !== 'connected';
    if (needsRestart) connection.restartIce();
    if (unanswered || needsRestart) void this.#negotiate(pc);
  }

  /** Handles signals one after the other, in the order in which they arrived. */
  receive(signal: Signal): Promise<void> {
    return this.#signals.add(() => this.#take(signal));
  }

  putTracks(): void {
    for (const pc of [this.#pc, this.#replaced, ...this.#closing]) {
      if (pc) putTracks(pc, this.#options.tracks());
    }
  }

  /** The connection carries media. */
  get isWell(): boolean {
    return this.#pc?.connection.connectionState === 'connected';
  }

  /** The peer connection that is in use, or being made. */
  get pc(): PeerConnection | null {
    return this.#pc;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#pc?.connection.close();
    this.#replaced?.connection.close();
    this.#pc = null;
    this.#replaced = null;
    for (const pc of this.#closing) this.#drop(pc);
  }

  async #take({ connection: id = '', description, again, candidate }: Signal): Promise<void> {
    if (this.#closed) return;
    const pc = this.#pc;
    // The signal belongs to the page that was open here before this one.
    if (again && pc?.id !== id) return;
    if (description?.type === 'offer') return this.#takeOffer(id, description.sdp ?? '');
    if (pc === null || pc.id !== id) return;
    if (description?.type === 'answer' && pc.connection.signalingState === 'have-local-offer') {
      await pc.connection.setRemoteDescription({ type: 'answer', sdp: description.sdp ?? '' });
      pc.answered = true;
      this.#show();
    }
    if (candidate !== undefined) await addCandidate(pc, candidate);
  }

  async #takeOffer(id: string, sdp: string): Promise<void> {
    const pc = this.#answering(id);
    if (pc === null) return;
    pc.ignoring = false;
    await pc.connection.setRemoteDescription({ type: 'offer', sdp });
    if (pc !== this.#pc) return;
    for (const transceiver of Object.values(personTransceivers(pc))) {
      transceiver.direction = 'sendrecv';
      transceiver.sender.setStreams?.(pc.outgoing);
    }
    if (!pc.answered) beginSmall(pc);
    this.putTracks();
    await pc.connection.setLocalDescription();
    if (pc !== this.#pc) return;
    this.#sendDescription(pc);
    pc.answered = true;
    this.putTracks();
    this.#show();
  }

  /** @returns the peer connection that answers the offer, or null if this side's offer wins */
  #answering(id: string): PeerConnection | null {
    const pc = this.#pc;
    if (this.#replacedIds.has(id)) return null;
    if (pc?.id === id) {
      pc.ignoring = pc.offering || pc.connection.signalingState !== 'stable';
      if (pc.ignoring && this.#options.polite) void this.offer();
      return pc.ignoring ? null : pc;
    }
    const ownOfferStands = pc?.offeredFirst && !pc.answered && !this.#options.polite;
    if (ownOfferStands) return null;
    // A new connection, so that a first offer that yields needs no rollback.
    const connection = this.#options.makeConnection();
    const opened = this.#open(id, { connection, outgoing: new MediaStream() });
    this.#startOverAfter(this.#backoff());
    return opened;
  }

  async #sendFound({ id }: PeerConnection, found: EarlyOffer['found']): Promise<void> {
    for (const candidate of found) this.#options.send({ connection: id, candidate });
  }

  async #negotiate(
    pc: PeerConnection,
    described = pc.connection.setLocalDescription(),
  ): Promise<void> {
    try {
      pc.offering = true;
      await described;
      if (pc === this.#pc) this.#sendDescription(pc);
    } catch (error) {
      // Another description came in between: `negotiationneeded` fires again where needed.
      console.warn('rapport: an offer could not be made', error);
    } finally {
      pc.offering = false;
    }
  }

  #sendDescription(pc: PeerConnection): void {
    const description = pc.connection.localDescription;
    if (description === null) return;
    const { type, sdp } = description;
    const again = type === 'offer' && pc.answered;
    this.#options.send({
      connection: pc.id,
      description: { type, sdp },
      ...(again && { again }),
    });
  }

  #open(id: string, made: Pick<PeerConnection, 'connection' | 'outgoing'>): PeerConnection {
    this.#replace();
    const pc = openPeerConnection(id, made, {
      onCandidate: (candidate) => this.#options.send({ connection: id, candidate }),
      onNeeded: () => {
        if (pc === this.#pc && pc.answered) void this.#negotiate(pc);
      },
      onState: () => this.#connectionChanged(pc),
    });
    this.#pc = pc;
    return pc;
  }

  #replace(): void {
    const pc = this.#pc;
    this.#pc = null;
    if (pc) this.#replacedIds.add(pc.id);
    this.#signals.giveUp();
    if (pc?.wasConnected) {
      this.#replaced?.connection.close();
      this.#replaced = pc;
    } else pc?.connection.close();
  }

  #connectionChanged(pc: PeerConnection): void {
    if (pc !== this.#pc) return;
    const state = pc.connection.connectionState;
    if (state === 'connected') this.#connected(pc);
    if (state === 'failed') this.#restartIce(pc);
    if (state === 'disconnected') this.#startOverAfter(interruptedMs);
    this.#show();
  }

  #connected(pc: PeerConnection): void {
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#everConnected = true;
    pc.wasConnected = true;
    growSoon(pc);
    if (this.#replaced) void this.#closeReplaced(pc, this.#replaced);
  }

  /** Closes the replaced connection when the video of the new one has arrived on both sides. */
  async #closeReplaced(pc: PeerConnection, replaced: PeerConnection): Promise<void> {
    await videoArrives(pc, longestOverlapMs);
    if (this.#closed || this.#replaced !== replaced) return;
    this.#replaced = null;
    this.#show();
    this.#closing.add(replaced);
    setTimeout(() => this.#drop(replaced), othersOverlapMs);
  }

  #drop(pc: PeerConnection): void {
    pc.connection.close();
    this.#closing.delete(pc);
  }

  #restartIce(pc: PeerConnection): void {
    pc.connection.restartIce();
    this.#startOverAfter(this.#backoff());
  }

  #startOverAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startOver(), waitMs);
  }

  #startOver(): void {
    const pc = this.#pc;
    if (this.isWell) return;
    if (!this.#options.reachable()) this.#startOverAfter(interruptedMs);
    else if (pc?.connection.connectionState === 'disconnected') this.#restartIce(pc);
    else {
      this.#failures += 1;
      void this.offer();
    }
  }

  #backoff(): number {
    return Math.min(longestStartOverMs, startOverMs[this.#side] * (1 + this.#failures));
  }

  get #side(): 'polite' | 'impolite' {
    return this.#options.polite ? 'polite' : 'impolite';
  }

  #show(): void {
    if (this.#closed) return;
    const history = { everConnected: this.#everConnected, failures: this.#failures };
    this.#options.onView(viewOf(this.#replaced ?? this.#pc, history));
  }
}

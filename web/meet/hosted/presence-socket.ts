import { closeCodes } from '#domain/calls/close-codes.ts';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { MediaState } from '#domain/calls/participant.ts';
import { LiveSocket, type SocketOptions } from '../../live/live-socket.ts';

interface PresenceOptions {
  /** A meeting token of Rapport, not of the provider. */
  token: string;
  /** Only for guests; staff are known by their account. */
  name?: string;
  openWebSocket: SocketOptions['openWebSocket'];
  /** A host asks to mute the microphone. */
  onMuted: () => void;
  /** Rapport ended the participation: one of closeCodes. */
  onRefused: (code: number) => void;
  /** The newest token, for reconnecting. */
  onToken?: (token: string) => void;
  /** Each message, before it is handled. */
  onMessage?: (message: ToBrowser) => void;
}

/**
 * Reports a participant of a hosted call to Rapport's server: attendance, roster, mute, removal and
 * end use this socket, media do not. It is open before the hosted page has admitted the person.
 */
export class PresenceSocket {
  readonly #options: PresenceOptions;
  readonly #socket: LiveSocket;
  /** Null until the person has joined. */
  #media: MediaState | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
    const { name, token, openWebSocket, onRefused } = options;
    this.#socket = new LiveSocket({
      token,
      openWebSocket,
      introduce: () => ({
        ...(name ? { name } : {}),
        ...(this.#media ? { media: this.#media } : {}),
      }),
      onMessage: (message) => this.#receive(message),
      onState: () => undefined,
      onRefused,
    });
  }

  joined(media: MediaState): void {
    this.#media = media;
    this.#sayJoined();
  }

  changed(media: MediaState): void {
    if (this.#media === null) return;
    if (media.audio === this.#media.audio && media.video === this.#media.video) return;
    this.#media = media;
    this.#socket.send({ type: 'media', media });
  }

  send(message: ToServer): void {
    this.#socket.send(message);
  }

  leave(): void {
    this.#socket.send({ type: 'leave' });
    this.#socket.close();
  }

  close(): void {
    this.#socket.close();
  }

  pageCloses(): void {
    this.#socket.pageCloses();
  }

  #sayJoined(): void {
    const { name } = this.#options;
    if (this.#media) {
      this.#socket.send({ type: 'join', ...(name ? { name } : {}), media: this.#media });
    }
  }

  #receive(message: ToBrowser): void {
    this.#options.onMessage?.(message);
    if (message.type === 'muted') this.#options.onMuted();
    if (message.type === 'call-ended') this.#options.onRefused(closeCodes.callEnded);
    if (message.type === 'waiting') {
      this.#options.onToken?.(message.token);
      this.#sayJoined();
    }
    if (message.type !== 'welcome') return;
    this.#options.onToken?.(message.token);
    // Joined while the socket was still opening.
    const self = message.participants.find(({ id }) => id === message.self);
    if (self?.inMeeting === false) this.#sayJoined();
  }
}

import { closeCodes, type MediaState, type ToBrowser } from '#domain/calls/live.ts';
import { LiveSocket, type SocketOptions } from '../../live/live-socket.ts';

interface PresenceOptions {
  /** Ours, not the provider's. */
  token: string;
  /** A guest's own; staff are known by their account. */
  name?: string;
  openWebSocket: SocketOptions['openWebSocket'];
  /** A host asks for the microphone to be off. */
  onMuted: () => void;
  /** We let this person go: one of closeCodes. */
  onRefused: (code: number) => void;
  /** For coming back, instead of the one before. */
  onToken?: (token: string) => void;
}

/**
 * Who is in a hosted call, said to our server: attendance, roster, mute, removal and end go over it,
 * media do not. It is open from before the hosted page has let the person in.
 */
export class PresenceSocket {
  readonly #options: PresenceOptions;
  readonly #socket: LiveSocket;
  /** Null until the person is in. */
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

  leave(): void {
    this.#socket.send({ type: 'leave' });
    this.#socket.close();
  }

  close(): void {
    this.#socket.close();
  }

  #sayJoined(): void {
    const { name } = this.#options;
    if (this.#media) {
      this.#socket.send({ type: 'join', ...(name ? { name } : {}), media: this.#media });
    }
  }

  #receive(message: ToBrowser): void {
    if (message.type === 'muted') this.#options.onMuted();
    if (message.type === 'call-ended') this.#options.onRefused(closeCodes.callEnded);
    if (message.type === 'waiting') {
      this.#options.onToken?.(message.token);
      this.#sayJoined();
    }
    if (message.type !== 'welcome') return;
    this.#options.onToken?.(message.token);
    // Joined while the line was still being opened.
    const self = message.participants.find(({ id }) => id === message.self);
    if (self?.inMeeting === false) this.#sayJoined();
  }
}

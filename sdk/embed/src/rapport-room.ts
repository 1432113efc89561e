import type { RoomEvent } from '../../../domain/embedding/channel.ts';
import { FrameChannel } from './frame-channel.ts';
import { roomAddress } from './room-address.ts';
import type { RapportRoomEvents } from './room-events.ts';

export type { RapportParticipant, RapportRoomEvents } from './room-events.ts';

const allowed =
  'camera; microphone; display-capture; fullscreen; autoplay; screen-wake-lock; picture-in-picture; clipboard-write; speaker-selection; local-network-access; on-device-speech-recognition';
const style = `
  :host { display: block; width: 100%; height: 100%; min-height: 20rem; }
  :host([hidden]) { display: none; }
  iframe { display: block; width: 100%; height: 100%; min-height: inherit; border: 0; }`;

/** Servers, which render React’s markup, have no elements. */
const PageElement = globalThis.HTMLElement ?? class {};

/**
 * `<rapport-room server room token>`: a call in a frame that fills this element. Events:
 * `RapportRoomEvents`. `link` takes a guest link instead of `room` and `token`.
 */
export class RapportRoom extends PageElement {
  static readonly observedAttributes = ['link', 'room', 'token', 'server', 'label'];
  /** The server of elements without a `server` attribute. */
  static defaultServer: string | null = null;

  #frame: HTMLIFrameElement | null = null;
  #channel: FrameChannel | null = null;
  #willOpen = false;
  #isInside = false;

  connectedCallback(): void {
    this.#openSoon();
  }

  disconnectedCallback(): void {
    this.#close('removed');
  }

  /** `moveBefore()` keeps the frame and its call. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string): void {
    if (name === 'label') this.#label();
    else this.#openSoon();
  }

  mute(): void {
    this.#channel?.send({ type: 'mute' });
  }

  unmute(): void {
    this.#channel?.send({ type: 'unmute' });
  }

  /** Leaves the call. The frame stays, and says so. */
  leave(): void {
    this.#channel?.send({ type: 'leave' });
  }

  /** Once for all attributes that change together: a token can be used only once. */
  #openSoon(): void {
    if (this.#willOpen) return;
    this.#willOpen = true;
    queueMicrotask(() => {
      this.#willOpen = false;
      if (this.isConnected) this.#open();
    });
  }

  #open(): void {
    const address = this.#address();
    if (address?.href === this.#frame?.src) return;
    this.#close('replaced');
    if (!address) return;
    const frame = document.createElement('iframe');
    this.#frame = frame;
    this.#label();
    frame.allow = allowed;
    frame.src = address.href;
    this.#channel = new FrameChannel({
      frame,
      origin: address.origin,
      onEvent: (event) => this.#receive(event),
    });
    this.#root.append(frame);
  }

  #address(): URL | null {
    const [link, room, token] = ['link', 'room', 'token'].map((name) => this.getAttribute(name));
    const server = this.getAttribute('server') ?? RapportRoom.defaultServer;
    try {
      return roomAddress({ link: link ?? null, room: room ?? null, token: token ?? null, server });
    } catch (error) {
      this.#dispatch('error', { code: 'bad_address', message: String(error) });
      return null;
    }
  }

  get #root(): ShadowRoot {
    if (this.shadowRoot) return this.shadowRoot;
    const root = this.attachShadow({ mode: 'open' });
    // Allowed by every content security policy, which a style element is not.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    return root;
  }

  #label(): void {
    if (this.#frame) this.#frame.title = this.getAttribute('label') ?? 'Video call';
  }

  #close(reason: string): void {
    this.#channel?.close();
    this.#channel = null;
    // The page in the frame leaves the call when it closes.
    this.#frame?.remove();
    this.#frame = null;
    this.#leave(reason);
  }

  #leave(reason: string): void {
    if (!this.#isInside) return;
    this.#isInside = false;
    this.#dispatch('left', { reason });
  }

  #receive(event: RoomEvent): void {
    switch (event.type) {
      case 'waiting':
        this.#dispatch('waiting', null);
        break;
      case 'joined':
        this.#isInside = true;
        this.#dispatch('joined', { participants: event.participants });
        break;
      case 'left':
        this.#leave(event.reason);
        break;
      case 'participant-joined':
        this.#dispatch('participantjoined', event.participant);
        break;
      case 'participant-left':
        this.#dispatch('participantleft', event.participant);
        break;
      case 'microphone':
        this.#dispatch('microphone', { on: event.on });
        break;
      case 'error':
        this.#dispatch('error', { code: event.code, message: event.message });
    }
  }

  #dispatch<Name extends keyof RapportRoomEvents>(
    name: Name,
    detail: RapportRoomEvents[Name],
  ): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Registers `<rapport-room>`, once. */
export function defineRapportRoom(): void {
  if (globalThis.customElements && !customElements.get('rapport-room')) {
    customElements.define('rapport-room', RapportRoom);
  }
}

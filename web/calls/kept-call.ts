import * as z from 'zod/mini';
import { fromMeeting, type MeetingView } from '#domain/calls/frame-messages.ts';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { closeFrame, onMeetingMessage, sizeFrame, tellMeeting } from '#web/calls/call-frame.ts';
import type { CallSession } from '#web/calls/call-session.ts';
import { WritableStore } from '#web/live/store.ts';
import { refusalText } from '#web/platform/texts.ts';
import { toast } from '#web/ui/toast-store.ts';

export interface KeptCallState {
  /** Has the token that the frame was opened with. */
  room: OpenedRoom;
  /** In the meeting, after its preview. */
  isJoined: boolean;
  /** Another page is shown, with the call as a small window on it. */
  isAway: boolean;
  /** Only the bar of the small window is visible. */
  isMinimised: boolean;
  /** As the meeting page reports it; null until then. */
  microphoneOn: boolean | null;
  /** Guests in the lobby. */
  waiting: number;
}

interface KeptCallOptions {
  room: OpenedRoom;
  session: CallSession;
  /** Requests the room again, after its token no longer opens the meeting. */
  newRoom: () => Promise<OpenedRoom | undefined>;
  /** The call no longer belongs to this tab. */
  onClosed: () => void;
}

/**
 * A call from the opening of its page to its end, outside the page: leaving the page does not leave
 * the call.
 */
export class KeptCall extends WritableStore<KeptCallState> {
  readonly session: CallSession;
  readonly #options: KeptCallOptions;
  readonly #over = new AbortController();
  #askedForToken = false;

  constructor(options: KeptCallOptions) {
    super({
      room: options.room,
      isJoined: false,
      isAway: false,
      isMinimised: false,
      microphoneOn: null,
      waiting: 0,
    });
    this.#options = options;
    this.session = options.session;
  }

  open(): void {
    const { session } = this;
    const { signal } = this.#over;
    currentCall.getSnapshot().call?.close();
    currentCall.update({ call: this });
    session.open();
    window.addEventListener('online', () => session.networkIs(true), { signal });
    window.addEventListener('offline', () => session.networkIs(false), { signal });
    window.addEventListener('pagehide', () => session.edits.notes.flush(), { signal });
    signal.addEventListener(
      'abort',
      onMeetingMessage((data) => this.#hear(data)),
    );
  }

  /** The call's page is shown. */
  comeBack(): void {
    this.update({ isAway: false, isMinimised: false });
    this.#showAs('full');
  }

  /** The call's page is left. The call continues only if the person has joined the meeting. */
  goAway(): void {
    if (!this.getSnapshot().isJoined || this.session.getSnapshot().phase === 'over') {
      this.close();
      return;
    }
    this.update({ isAway: true });
    this.#showAs('small');
  }

  minimise(isMinimised: boolean): void {
    this.update({ isMinimised });
    this.#showAs(isMinimised ? 'none' : 'small');
  }

  turnMicrophone(on: boolean): void {
    tellMeeting({ rapport: 1, type: 'microphone', on });
  }

  /** Leaves the call, or ends it for everyone. Resolves when the server has answered. */
  leave(forEveryone: boolean): Promise<void> {
    tellMeeting({ rapport: 1, type: 'leave' });
    return this.session.leave(forEveryone);
  }

  /** Ends the call in this tab; unsaved edits stay in the browser. */
  close(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.session.close();
    closeFrame();
    if (currentCall.getSnapshot().call === this) currentCall.update({ call: null });
    this.#options.onClosed();
  }

  #showAs(view: MeetingView): void {
    sizeFrame(view);
    tellMeeting({ rapport: 1, type: 'view', view });
  }

  #hear(data: unknown): void {
    const { data: message } = z.safeParse(fromMeeting, data);
    if (message === undefined) return;
    if (message.type === 'waiting') this.update({ waiting: message.count });
    if (message.type === 'refused') {
      toast({ title: refusalText(message.code, message.message) });
    }
    if (message.type === 'microphone') this.update({ microphoneOn: message.on });
    if (message.type === 'media') this.session.mediaArrives = message.arrives;
    if (message.type === 'joined') {
      this.#askedForToken = false;
      this.update({ isJoined: true });
    }
    if (message.type === 'left' && this.session.getSnapshot().phase !== 'over') {
      void this.leave(false);
    }
    if (message.type === 'failed') {
      this.update({ isJoined: false });
      if (message.code === 'tokenRefused') void this.#renew();
    }
  }

  async #renew(): Promise<void> {
    if (this.#askedForToken) return;
    this.#askedForToken = true;
    const room = await this.#options.newRoom();
    if (room && !this.#over.signal.aborted) this.update({ room });
  }
}

/** The one call that this tab is in, on any page of the application. */
export const currentCall = new WritableStore<{ call: KeptCall | null }>({ call: null });

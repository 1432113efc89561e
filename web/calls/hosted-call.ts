import { closeCodes } from '#domain/calls/close-codes.ts';
import type { FromMeeting } from '#domain/calls/frame-messages.ts';
import { openWebSocket } from '#web/calls/panel-socket.ts';
import type { HostedFailure } from '#web/meet/hosted/daily-failure.ts';
import type { DailyPage } from '#web/meet/hosted/daily-page.ts';
import { PresenceSocket } from '#web/meet/hosted/presence-socket.ts';

export interface HostedAdmission {
  dailyUrl: string;
  meetingToken: string;
  panelToken: string;
}

type Said<Message> = Message extends FromMeeting ? Omit<Message, 'rapport'> : never;
type Say = (message: Said<FromMeeting>) => void;

/** A hosted page in the call's frame, with the messages of Rapport's own meeting page. */
export class HostedCall {
  readonly #line: PresenceSocket;
  /** Sends a message as Rapport's own meeting page would. */
  readonly #say: Say;
  #visit: DailyPage | null = null;
  #closed = false;

  constructor(frame: HTMLIFrameElement, entrance: HostedAdmission, say: Say) {
    this.#say = say;
    this.#line = new PresenceSocket({
      token: entrance.panelToken,
      openWebSocket,
      onMuted: () => this.#visit?.turnMicrophone(false),
      onRefused: (code) => this.#letGo(code),
    });
    void this.#load(frame, entrance);
  }

  tell(message: object): void {
    const { type, on }: { type?: unknown; on?: unknown } = message;
    if (type === 'leave') void this.#visit?.leave();
    if (type === 'microphone') this.#visit?.turnMicrophone(on === true);
  }

  /** The frame is about to close, and Daily's page with it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    void this.#visit?.leave();
    this.#line.leave();
  }

  async #load(frame: HTMLIFrameElement, entrance: HostedAdmission): Promise<void> {
    const daily = await import('#web/meet/hosted/daily-page.ts').catch(() => null);
    if (this.#closed) return;
    if (daily === null) {
      this.#failed('unreachable');
      return;
    }
    this.#visit = daily.openDailyPage(frame, entrance, {
      onJoined: (media) => {
        this.#line.joined(media);
        this.#say({ type: 'joined' });
        this.#say({ type: 'microphone', on: media.audio });
      },
      onMedia: (media) => {
        this.#line.changed(media);
        this.#say({ type: 'microphone', on: media.audio });
      },
      onLeft: () => {
        this.#line.leave();
        if (!this.#closed) this.#say({ type: 'left' });
      },
      onFailed: (failure) => this.#failed(failure),
    });
  }

  #failed(failure: HostedFailure): void {
    this.#line.leave();
    if (!this.#closed) this.#say({ type: 'failed', code: failure });
  }

  /** The call is over, or this person was removed. A refused socket alone does not end the call. */
  #letGo(code: number): void {
    if (code === closeCodes.callEnded || code === closeCodes.removed) void this.#visit?.leave();
  }
}

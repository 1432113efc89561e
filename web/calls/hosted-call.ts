import { closeCodes } from '#domain/calls/close-codes.ts';
import type { FromMeeting } from '#domain/calls/frame-messages.ts';
import { openWebSocket } from '#web/calls/panel-socket.ts';
import { WritableStore } from '#web/live/store.ts';
import type { HostedFailure } from '#web/meet/hosted/daily-failure.ts';
import type { DailyPage } from '#web/meet/hosted/daily-page.ts';
import { HostedRecording } from '#web/meet/hosted/hosted-recording.ts';
import { PresenceSocket } from '#web/meet/hosted/presence-socket.ts';

const patienceMs = 4_000;

/** The recording of the call that is open, for the call screen. */
export const recordedCall = new WritableStore<{ recording: HostedRecording | null }>({
  recording: null,
});

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
  readonly #recording: HostedRecording;

  constructor(frame: HTMLIFrameElement, entrance: HostedAdmission, say: Say) {
    this.#say = say;
    this.#recording = new HostedRecording((message) => this.#line.send(message));
    recordedCall.update({ recording: this.#recording });
    this.#line = new PresenceSocket({
      onMessage: (message) => this.#recording.receive(message),
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
    if (recordedCall.getSnapshot().recording === this.#recording)
      recordedCall.update({ recording: null });
    void this.#visit?.leave();
    this.#line.leave();
  }

  /**
   * Waits until this person has answered whether they may be recorded, if that is asked. Without a line to the server
   * nobody knows; the server then stops the recording when they enter.
   */
  async #untilAnswered(): Promise<void> {
    const isLate = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
    await Promise.race([this.#recording.known, isLate]);
    if (this.#recording.isSettled) return;
    await new Promise<void>((resolve) => {
      const stop = this.#recording.subscribe(() => {
        if (!this.#recording.isSettled) return;
        stop();
        resolve();
      });
    });
  }

  async #load(frame: HTMLIFrameElement, entrance: HostedAdmission): Promise<void> {
    const [daily] = await Promise.all([
      import('#web/meet/hosted/daily-page.ts').catch(() => null),
      this.#untilAnswered(),
    ]);
    if (this.#closed) return;
    if (daily === null) {
      this.#failed('unreachable');
      return;
    }
    this.#visit = daily.openDailyPage(frame, entrance, {
      onJoined: (media) => {
        this.#line.joined(media);
        this.#recording.joined();
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

import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { CaptureKind } from '#domain/consent/capture.ts';
import type { ConsentState } from '#domain/consent/live.ts';
import { questionVersion } from '#domain/consent/question.ts';
import { WritableStore } from '#web/live/store.ts';
import type { Detail } from '#web/media/recording/formats.ts';
import { OwnRecording } from '#web/media/recording/own-recording.ts';
import { hasRest, markRest } from '#web/media/recording/rest-mark.ts';
import type { UploadState } from '#web/media/recording/uploader.ts';
import type { SpeechCapture } from '#web/media/speech/speech-capture.ts';
import type { SpeechState } from '#web/media/speech/speech-state.ts';
import { language } from '../../texts/language.ts';
import type { Meeting } from '../meeting.ts';
import { ownConsent } from '../meeting-state.ts';
import { refusalText } from '../texts.ts';
import { otherCaptures } from './other-captures.ts';

export type CaptureSessionState = UploadState & {
  /** Why the last order or answer was not accepted. */
  refusal: string | null;
  /** A legal hold keeps what was to be deleted. */
  isHeld: boolean;
  /** This browser cannot record, or stopped recording. */
  hasFailed: boolean;
  /** Less is recorded than at first, so that the call stays fluent. */
  reduced: Detail | null;
  /** How what this participant says becomes text; null while it does not. */
  speech: SpeechState | null;
};

type Edit = Extract<ToServer, { type: 'consent' | 'capture' }>;
export type Choice = { asked: CaptureKind[]; agreed: CaptureKind[]; discard?: boolean | undefined };

/** This participant's part in what is captured of the call: their answers, and their own recording. */
export class CaptureSession extends WritableStore<CaptureSessionState> {
  readonly #meeting: Meeting;
  /** Sent again with each welcome until the server has answered them. */
  #unsaved: Edit[] = [];
  #recording: OwnRecording | null = null;
  readonly #others = new Map<CaptureKind, SpeechCapture>();
  readonly #opening = new Set<CaptureKind>();

  constructor(meeting: Meeting) {
    super({
      bytesLeft: 0,
      trouble: null,
      refused: false,
      refusal: null,
      isHeld: false,
      hasFailed: false,
      reduced: null,
      speech: null,
    });
    this.#meeting = meeting;
    meeting.onMessage((message) => this.#receive(message));
    meeting.subscribe(() => this.#follow());
    addEventListener('beforeunload', (event) => {
      const isOver = meeting.getSnapshot().phase === 'over';
      if (isOver && this.getSnapshot().bytesLeft > 0) event.preventDefault();
    });
    if (hasRest()) void this.#openRecording();
    this.#follow();
  }

  /** The newest answer about each kind, as far as it is known here. */
  get consent(): ConsentState {
    const known = ownConsent(this.#meeting.getSnapshot()) ?? { asked: [], agreed: [] };
    const own = this.#unsaved.filter((edit) => edit.type === 'consent');
    return own.reduce(merged, known);
  }

  get #callId(): string | undefined {
    return this.#meeting.getSnapshot().call?.id;
  }

  /** What is captured now. */
  get running(): CaptureKind[] {
    return this.#meeting.getSnapshot().captures?.running.map(({ kind }) => kind) ?? [];
  }

  /** What runs, and this participant has not been asked about. */
  get unanswered(): CaptureKind[] {
    const { asked } = this.consent;
    return this.running.filter((kind) => !asked.includes(kind));
  }

  /** @param name a guest's, before joining */
  answer(choice: Choice, name?: string): void {
    const { asked, agreed, discard } = choice;
    this.#send({
      type: 'consent',
      id: crypto.randomUUID(),
      asked,
      agreed,
      questionVersion,
      language,
      ...(name !== undefined && { name }),
      ...(discard && { discard }),
    });
    const declined = asked.filter((kind) => !agreed.includes(kind));
    // At once, whether the server can be reached or not.
    if (declined.includes('recording')) void this.#recording?.discard(this.#callId);
    this.#follow();
  }

  order(kind: CaptureKind, running: boolean): void {
    this.#send({ type: 'capture', id: crypto.randomUUID(), kind, running });
  }

  /** Loads the language that the browser needs to recognize what this participant says. */
  installSpeech(): void {
    this.#others.get('transcript')?.install();
  }

  hideNotes(): void {
    this.update({ refusal: null, isHeld: false, refused: false, reduced: null, speech: null });
  }

  #send(edit: Edit): void {
    this.#unsaved.push(edit);
    this.update({ refusal: null, isHeld: false });
    this.#meeting.send(edit);
  }

  #receive(message: ToBrowser): void {
    if (message.type === 'welcome') for (const edit of this.#unsaved) this.#meeting.send(edit);
    if (message.type === 'waiting') this.#unsaved = this.#unsaved.filter(isNotIn(message.consent));
    if (message.type !== 'saved' && message.type !== 'refused') return;
    const edit = this.#unsaved.find(({ id }) => id === message.id);
    if (!edit) return;
    this.#unsaved = this.#unsaved.filter((one) => one !== edit);
    if (message.type === 'refused') {
      this.update({ refusal: refusalText(message.code, message.message) });
    }
    if (message.type === 'saved' && message.held) this.update({ isHeld: true });
    this.#follow();
  }

  /** Captures exactly what runs and this participant has agreed to, as the server has confirmed both. */
  #follow(): void {
    const { phase, isRecordedByServer } = this.#meeting.getSnapshot();
    const confirmed = ownConsent(this.#meeting.getSnapshot())?.agreed ?? [];
    const { agreed } = this.consent;
    const isOn = (kind: CaptureKind) =>
      phase === 'meeting' && confirmed.includes(kind) && agreed.includes(kind);
    const due = this.running.filter(isOn);
    if (due.includes('recording') && !isRecordedByServer) void this.#record();
    else if (this.#recording?.isOn) void this.#recording.stop();
    for (const kind of due) void this.#openOther(kind);
    for (const [kind, capture] of this.#others) {
      if (due.includes(kind)) continue;
      this.#others.delete(kind);
      void capture.stop();
      this.update({ speech: null });
    }
    this.update({});
  }

  async #record(): Promise<void> {
    const recording = await this.#openRecording();
    const { agreed } = this.consent;
    // The answer, or the call, may have changed while the code was loaded.
    if (!agreed.includes('recording') || !this.running.includes('recording')) return;
    if (this.#meeting.getSnapshot().phase !== 'meeting') return;
    markRest(true);
    recording?.start();
  }

  async #openRecording(): Promise<OwnRecording | null> {
    if (this.#recording || this.#opening.has('recording')) return this.#recording;
    this.#opening.add('recording');
    const meeting = this.#meeting;
    const recording = await OwnRecording.open({
      media: meeting.media,
      screen: meeting.screen,
      monitored: () => meeting.monitored,
      token: () => meeting.getSnapshot().token ?? '',
      onFailed: () => this.update({ hasFailed: true }),
      callId: () => this.#callId,
      onWithdrawn: (callId) => void recording.discard(callId),
      onReduced: (reduced) => this.update({ reduced }),
    });
    this.#recording = recording;
    this.#opening.delete('recording');
    recording.uploader.subscribe(() => {
      const { bytesLeft, trouble, refused } = recording.uploader.getSnapshot();
      if (bytesLeft === 0) void this.#forgetRest(recording);
      this.update({ bytesLeft, trouble, refused });
    });
    await recording.uploader.takeOver();
    await this.#forgetRest(recording);
    this.#follow();
    return recording;
  }

  async #forgetRest({ isOn, uploader }: OwnRecording): Promise<void> {
    if (!isOn && !(await uploader.hasRest())) markRest(false);
  }

  async #openOther(kind: CaptureKind): Promise<void> {
    const load = otherCaptures[kind];
    const { call, token } = this.#meeting.getSnapshot();
    if (!load || !call || !token || this.#others.has(kind) || this.#opening.has(kind)) return;
    this.#opening.add(kind);
    const { media } = this.#meeting;
    try {
      const open = await load();
      if (!this.running.includes(kind) || !this.consent.agreed.includes(kind)) return;
      const microphone = () => media.tracks.audio;
      const onState = (speech: SpeechState) => this.update({ speech });
      this.#others.set(kind, open({ microphone, token, callId: call.id, onState }));
    } finally {
      this.#opening.delete(kind);
    }
  }
}

/** An answer replaces the earlier ones about its kinds. */
function merged(before: ConsentState, { asked, agreed }: Choice): ConsentState {
  const others = (kind: CaptureKind) => !asked.includes(kind);
  return {
    asked: [...before.asked.filter(others), ...asked],
    agreed: [...before.agreed.filter(others), ...agreed],
  };
}

/** Whether an edit still has to be answered, as against this state of the server. */
const isNotIn = (consent: ConsentState | undefined) => (edit: Edit) =>
  edit.type !== 'consent' ||
  edit.asked.some(
    (kind) =>
      !consent?.asked.includes(kind) ||
      consent.agreed.includes(kind) !== edit.agreed.includes(kind),
  );

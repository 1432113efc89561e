import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { ConsentState } from '#domain/consent/live.ts';
import { togetherVersion } from '#domain/consent/question.ts';
import { WritableStore } from '#web/live/store.ts';
import { language } from '../../texts/language.ts';
import { refusalText } from '../texts.ts';

type HostedState = Extract<ToBrowser, { type: 'hosted-recording' }>['state'];
type Edit = Extract<ToServer, { type: 'consent' | 'capture' }>;

export interface HostedRecordingState {
  organization: string;
  /** A host, in a room whose calls may be recorded. */
  mayStart: boolean;
  /** The server takes orders of those in the call only. */
  isIn: boolean;
  /** It was started: it records as soon as everyone agrees. */
  isOn: boolean;
  state: HostedState;
  waitingFor: number;
  /** Null before the first answer. */
  agrees: boolean | null;
  /** They have to answer: it is on, or starts with the call. */
  isAsked: boolean;
  refusal: string | null;
  /** A legal hold keeps what was to be deleted. */
  isHeld: boolean;
}

/** In these states the provider may be recording. */
const mayRecord: readonly HostedState[] = ['starting', 'recording', 'stopping'];

/** A participant's part in the recording of a hosted call: their answer, and what the provider does. */
export class HostedRecording extends WritableStore<HostedRecordingState> {
  readonly #send: (message: ToServer) => void;
  /** Sent again with each welcome until the server has answered them. */
  #unsaved: Edit[] = [];
  #self = '';
  /** Resolves once the server has said what there is to ask. */
  readonly known: Promise<void>;
  #nowKnown: () => void;

  constructor(send: (message: ToServer) => void) {
    super({
      ...{
        organization: '',
        mayStart: false,
        isIn: false,
        isOn: false,
        state: 'off',
        waitingFor: 0,
      },
      ...{ agrees: null, isAsked: false, refusal: null, isHeld: false },
    });
    this.#send = send;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.known = promise;
    this.#nowKnown = resolve;
  }

  /** Whether the provider's page may open: the answer is stored, and nobody is recorded who has declined. */
  get isSettled(): boolean {
    const { isAsked, agrees, state } = this.getSnapshot();
    if ((isAsked && agrees === null) || this.#unsaved.length > 0) return false;
    return agrees !== false || !mayRecord.includes(state);
  }

  joined(): void {
    this.update({ isIn: true });
  }

  answer(agrees: boolean, discard = false): void {
    this.update({ agrees });
    this.#edit({
      ...{ type: 'consent', id: crypto.randomUUID(), asked: ['recording'] },
      ...{ agreed: agrees ? ['recording'] : [], questionVersion: togetherVersion, language },
      ...(discard && { discard }),
    });
  }

  order(running: boolean): void {
    this.#edit({ type: 'capture', id: crypto.randomUUID(), kind: 'recording', running });
  }

  receive(message: ToBrowser): void {
    switch (message.type) {
      case 'welcome': {
        this.#self = message.self;
        const { captures, capturable = [], asks = [], mayEdit, organization } = message;
        const own = message.participants.find(({ id }) => id === message.self)?.consent;
        this.update({
          organization: organization.name,
          mayStart: mayEdit && capturable.includes('recording'),
          isOn: captures?.running.some(({ kind }) => kind === 'recording') ?? false,
          isAsked: asks.includes('recording'),
          ...this.#answered(own),
        });
        for (const edit of this.#unsaved) this.#send(edit);
        this.#nowKnown();
        return;
      }
      case 'captures': {
        const isOn = message.running.some(({ kind }) => kind === 'recording');
        this.update({ isOn, ...(isOn && { isAsked: true }) });
        return;
      }
      case 'hosted-recording':
        this.update({ state: message.state, waitingFor: message.waitingFor });
        return;
      case 'changed':
        if (message.participant.id === this.#self)
          this.update(this.#answered(message.participant.consent));
        return;
      case 'saved':
      case 'refused':
        this.#settle(message);
    }
  }

  #edit(edit: Edit): void {
    this.#unsaved.push(edit);
    this.update({ refusal: null, isHeld: false });
    this.#send(edit);
  }

  #answered(consent: ConsentState | undefined): Partial<HostedRecordingState> {
    // What was answered here and is not stored yet is newer.
    const isOwnNewer = this.#unsaved.some(({ type }) => type === 'consent');
    if (isOwnNewer || !consent?.asked.includes('recording')) return {};
    return { agrees: consent.agreed.includes('recording') };
  }

  #settle(message: Extract<ToBrowser, { type: 'saved' | 'refused' }>): void {
    if (!this.#unsaved.some(({ id }) => id === message.id)) return;
    this.#unsaved = this.#unsaved.filter(({ id }) => id !== message.id);
    if (message.type === 'refused')
      this.update({ agrees: null, refusal: refusalText(message.code, message.message) });
    else this.update({ isHeld: message.held === true });
  }
}

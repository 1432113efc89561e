import { closeCodes } from '#domain/calls/close-codes.ts';
import { togetherVersion } from '#domain/consent/question.ts';
import { hasShape, isText } from '#domain/shape.ts';
import { WritableStore } from '#web/live/store.ts';
import type { WebSocketLike } from '../../live/live-socket.ts';
import { language } from '../../texts/language.ts';
import { freshGuestToken } from '../credentials.ts';
import { type Ending, endingOf } from '../ending.ts';
import { type Identity, keepIdentity, readIdentity } from '../identity.ts';
import type { Entry } from '../read-entry.ts';
import type { HostedFailure } from './daily-failure.ts';
import type { DailyPage } from './daily-page.ts';
import { HostedRecording } from './hosted-recording.ts';
import { PresenceSocket } from './presence-socket.ts';

export type HostedEntry = Extract<Entry, { kind: 'hosted' }>;

export type HostedPhase =
  | { at: 'form'; problem: { code: string; message: string } | null; isAsking: boolean }
  /** Before they join: may they be recorded? */
  | { at: 'question'; problem: { code: string; message: string } | null; isAsking: boolean }
  | { at: 'call'; dailyUrl: string; meetingToken: string }
  | { at: 'ended'; ending: Ending }
  | { at: 'failed'; failure: HostedFailure };

interface VisitOptions {
  entry: HostedEntry;
  openWebSocket: () => WebSocketLike;
  tabStorage: Storage;
}

const answerOf = (agrees: boolean) => ({
  id: crypto.randomUUID(),
  asked: ['recording'],
  agreed: agrees ? ['recording'] : [],
  questionVersion: togetherVersion,
  language,
});

type Entrance = { dailyUrl: string; meetingToken: string };
type Refusal = { code: string; message: string };
const unreachable: Refusal = { code: 'unreachable', message: '' };
const form: HostedPhase = { at: 'form', problem: null, isAsking: false };

/** A guest's path through a hosted call: name, admission, the provider's page, and the end. */
export class HostedJoin extends WritableStore<{ phase: HostedPhase }> {
  readonly #options: VisitOptions;
  #token: string;
  #name = '';
  #socket: PresenceSocket | null = null;
  #visit: DailyPage | null = null;
  #renewed = false;
  /** Sent with the next request to be admitted. */
  #answer: ReturnType<typeof answerOf> | null = null;
  #recording: HostedRecording | null = null;

  constructor(options: VisitOptions) {
    super({ phase: form });
    this.#options = options;
    const { tabStorage, entry } = options;
    this.#token = readIdentity(tabStorage, entry.scope)?.token ?? entry.token;
  }

  /** Requests admission under this name. A refusal is shown on the form, which keeps the name. */
  async enter(name: string): Promise<void> {
    this.#name = name;
    const at = this.#answer ? 'question' : 'form';
    this.update({ phase: { at, problem: null, isAsking: true } });
    const answer = await this.#ask();
    if ('problem' in answer) {
      const { problem } = answer;
      if (problem.code === 'consent_needed')
        this.update({ phase: { at: 'question', problem: null, isAsking: false } });
      else this.update({ phase: { at, problem, isAsking: false } });
      return;
    }
    this.#openLine();
    this.update({ phase: { at: 'call', ...answer } });
  }

  /** Answers whether they may be recorded, and requests admission again. */
  async answer(agrees: boolean): Promise<void> {
    this.#answer = answerOf(agrees);
    await this.enter(this.#name);
  }

  /** The recording of the call that they are in; null before. */
  get recording(): HostedRecording | null {
    return this.#recording;
  }

  /** Loads the hosted page into this frame. */
  async load(frame: HTMLIFrameElement, to: { dailyUrl: string; meetingToken: string }) {
    const daily = await import('./daily-page.ts').catch(() => null);
    const { phase } = this.getSnapshot();
    if (phase.at !== 'call' || phase.meetingToken !== to.meetingToken) return;
    if (daily === null) {
      this.#failed('unreachable');
      return;
    }
    this.#visit = daily.openDailyPage(frame, to, {
      onJoined: (media) => {
        this.#renewed = false;
        this.#socket?.joined(media);
      },
      onMedia: (media) => this.#socket?.changed(media),
      onLeft: () => this.#end('left'),
      onFailed: (failure) => this.#failed(failure),
    });
  }

  again(): void {
    this.update({ phase: form });
    if (this.#name) void this.enter(this.#name);
  }

  /** The name that an embedding product has given. */
  get givenName(): string | null {
    return this.#options.entry.name;
  }

  get organization(): string {
    return this.#options.entry.organization.name;
  }

  get name(): string {
    return this.#name;
  }

  pageCloses(): void {
    this.#socket?.pageCloses();
  }

  async #ask(): Promise<Entrance | { problem: Refusal }> {
    const first = await this.#exchange();
    if (!('problem' in first) || first.problem.code !== 'token_refused') return first;
    // The page was open for long, or the tab's own token belongs to a past call.
    const fresh = await freshGuestToken(this.#options.entry.scope);
    if (fresh === null) return first;
    this.#token = fresh;
    return this.#exchange();
  }

  async #exchange(): Promise<Entrance | { problem: Refusal }> {
    try {
      const answer = await fetch('/api/hosted-admissions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          token: this.#token,
          name: this.#name,
          ...(this.#answer && { consent: this.#answer }),
        }),
      });
      const body: unknown = await answer.json();
      if (answer.ok && hasShape<Entrance>(body, { dailyUrl: isText, meetingToken: isText })) {
        // Later answers go over the socket.
        this.#answer = null;
        return body;
      }
      return {
        problem: hasShape<Refusal>(body, { code: isText, message: isText }) ? body : unreachable,
      };
    } catch {
      return { problem: unreachable };
    }
  }

  #openLine(): void {
    const { openWebSocket } = this.#options;
    this.#socket?.close();
    const recording = new HostedRecording((message) => this.#socket?.send(message));
    this.#recording = recording;
    this.#socket = new PresenceSocket({
      onMessage: (message) => recording.receive(message),
      token: this.#token,
      name: this.#name,
      openWebSocket,
      onMuted: () => this.#visit?.turnMicrophone(false),
      onRefused: (code) => this.#letGo(code),
      onToken: (token) => this.#keep({ token, inMeeting: false }),
    });
  }

  #keep(identity: Identity): void {
    this.#token = identity.token;
    keepIdentity(this.#options.tabStorage, this.#options.entry.scope, identity);
  }

  /** The guest was removed, the call ended, or another tab took over. A broken socket reconnects. */
  #letGo(code: number): void {
    if (code === closeCodes.tokenRefused) return;
    void this.#visit?.leave();
    this.#end(endingOf(code));
  }

  #failed(failure: HostedFailure): void {
    this.#socket?.leave();
    if (this.getSnapshot().phase.at !== 'call') return;
    if (failure === 'expired' && !this.#renewed) {
      this.#renewed = true;
      this.again();
    } else this.update({ phase: { at: 'failed', failure } });
  }

  #end(ending: Ending): void {
    if (this.getSnapshot().phase.at === 'ended') return;
    this.#socket?.leave();
    this.update({ phase: { at: 'ended', ending } });
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#domain/errors.ts';
import { isHallucination } from '#domain/transcripts/hallucinations.ts';
import type { SpeechToServer } from '#domain/transcripts/speech-protocol.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import {
  type OrganizationTime,
  organizationTime,
  payerOf,
} from '#server/platform/organization-time.ts';
import { storedBytes, timesOfSearched } from '#server/platform/stored-bytes.ts';
import { SpeechError, type SpeechFailure } from '#server/providers/speech/port.ts';
import type { Services } from '#server/services.ts';
import type { Captions } from './captions.ts';
import type { Phrase } from './cutting/phrase-cutter.ts';
import { keepGap, keepLine } from './keep-line.ts';
import type { Recognized } from './live-words.ts';
import { mayRecognizeInBrowser, type Speaker } from './speaker.ts';
import { wavOf } from './wav.ts';

/** Phrases that are recognized at the same time; those of an organization; those of one that wait, and all. */
const turns = { atOnce: 8, perKey: 4, mostWaiting: 40, mostInAll: 200 };
/** A phrase that waits longer is of no use as a caption, and others wait behind it. */
const attempts = 3;
const firstPauseMs = 400;
/** How far a file may be ahead of the clock: as much as a page may send at once. */
const mostAheadMs = 60_000;
/** Phrases of a speaker's browser that wait for the one before. One more is a gap of the transcript. */
const mostKept = 10;
/** A speaker's lines that repetitions are looked for in. */
const recentLines = 4;

/** A phrase of a speaker, with the time at which its stream began, in milliseconds since 1970. */
interface Spoken {
  phrase: Phrase;
  streamStartedAt: number;
  /** Its words, if they were recognized while it was said. */
  early: Promise<Recognized | null> | null;
}

type BrowserPhrase = Extract<SpeechToServer, { type: 'phrase' }>;
/** Milliseconds after the call's start, and how long it took to say. */
type Times = { startMs: number; endMs: number; durationMs: number };

/** Has phrases recognized in turns, stores them as lines, and has them told to the room. */
export class Transcriber {
  readonly #services: Services;
  readonly #queue = new FairQueue(turns);
  readonly #captions: Captions;
  readonly #time: OrganizationTime;
  /** Ends waiting and running requests when the server stops. */
  readonly #closed = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Phrases that each speaker's own browser has recognized: the newest, and how many wait for the one before. */
  readonly #said = new WeakMap<Speaker, { newest: Promise<void>; waiting: number }>();

  constructor(services: Services, captions: Captions) {
    this.#services = services;
    this.#captions = captions;
    this.#time = organizationTime(services.config);
  }

  /** Returns immediately. What goes wrong is counted as a gap of the transcript, and never ends the call. */
  transcribe(speaker: Speaker, spoken: Spoken, mayGoOn: () => boolean): void {
    void this.#run(() => this.#transcribe(speaker, spoken, mayGoOn));
  }

  #run(transcribe: () => Promise<void>): Promise<void> {
    const work = transcribe()
      .catch((err) => this.#services.log.error({ err }, 'a phrase could not be transcribed'))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return work;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#running);
  }

  async #transcribe(speaker: Speaker, spoken: Spoken, mayGoOn: () => boolean): Promise<void> {
    const { phrase, streamStartedAt, early } = spoken;
    const durationMs = phrase.endMs - phrase.startMs;
    let heard: Recognized | null = null;
    try {
      heard = await early;
      heard ??= await this.#queue.run(speaker.tenant.orgId, async () =>
        mayGoOn() ? this.#recognize(phrase, durationMs, mayGoOn) : null,
      );
    } catch (error) {
      if (!mayGoOn() || this.#closed.signal.aborted) return;
      await this.#failed(speaker, failureOf(error));
      return;
    }
    if (!heard || !mayGoOn()) return;
    this.#captions.tellState(speaker, true);
    // The times in the file are the page's own.
    const latest = Date.now() - speaker.callStartedAt + mostAheadMs;
    const saidAt = streamStartedAt + phrase.startMs - speaker.callStartedAt;
    const startMs = Math.max(0, Math.min(saidAt, latest));
    const times = { startMs, endMs: startMs + durationMs, durationMs };
    await this.#store(speaker, heard, times, mayGoOn);
  }

  /** Stores what the speaker's own browser has recognized. It has just been said, by the clock of this server. */
  keep(speaker: Speaker, phrase: BrowserPhrase, mayGoOn: () => boolean): void {
    const { text, language, durationMs } = phrase;
    const endMs = Math.max(0, Date.now() - speaker.callStartedAt);
    // Phrases follow each other, whatever length a page claims.
    const startMs = Math.min(endMs, Math.max(0, endMs - durationMs, speaker.saidToMs));
    speaker.saidToMs = endMs;
    const heard = { text, language, recognizer: `browser/${language}` };
    const said = this.#said.get(speaker) ?? { newest: Promise.resolve(), waiting: 0 };
    this.#said.set(speaker, said);
    if (said.waiting >= mostKept) return void this.#run(() => this.#failed(speaker, 'crowded'));
    said.waiting += 1;
    const before = said.newest;
    said.newest = this.#run(async () => {
      // In the order in which they were said.
      await before;
      said.waiting -= 1;
      if (mayGoOn()) await this.#keep(speaker, heard, { startMs, endMs, durationMs }, mayGoOn);
    });
  }

  async #keep(speaker: Speaker, heard: Recognized, times: Times, mayGoOn: () => boolean) {
    try {
      if (!(await this.#timeFor(speaker, heard.text)) || !mayGoOn()) return;
      await this.#queue.run(speaker.tenant.orgId, async () => {
        const may = mayGoOn() && (await mayRecognizeInBrowser(speaker));
        if (!may || !mayGoOn()) return;
        this.#captions.tellState(speaker, true);
        await this.#store(speaker, heard, times, mayGoOn);
      });
    } catch (error) {
      if (mayGoOn()) await this.#failed(speaker, failureOf(error));
    }
  }

  /** Waits for time of the organization, before a place in the queue, which others need. */
  #timeFor({ claims, participantId }: Speaker, text: string): Promise<boolean> {
    return this.#time.turn(
      claims.orgId,
      payerOf(claims),
      'phrase',
      participantId,
      this.#closed.signal,
      Buffer.byteLength(text),
    );
  }

  async #store(
    speaker: Speaker,
    heard: Recognized,
    times: Times,
    mayGoOn: () => boolean,
  ): Promise<void> {
    const { text } = heard;
    const { durationMs } = times;
    if (isHallucination({ text, durationMs, before: speaker.recent })) return;
    speaker.recent = [...speaker.recent.slice(1 - recentLines), text];
    const startMs = Math.round(times.startMs);
    const endMs = Math.round(times.endMs);
    storedBytes(this.#services).take(speaker.tenant, Buffer.byteLength(text) * timesOfSearched);
    const line = await keepLine(speaker, { ...heard, startMs, endMs });
    if (!line) return;
    void this.#run(() => this.#captions.tell(speaker, line, mayGoOn));
  }

  /** Tries a few times, as long as the failure may pass. */
  async #recognize(
    { samples }: Phrase,
    durationMs: number,
    mayGoOn: () => boolean,
  ): Promise<Recognized> {
    const wav = wavOf(samples);
    const { signal } = this.#closed;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const speech = this.#services.speech.current();
        if (!speech) throw new SpeechError('refused', 'No speech service is set up any more');
        const heard = await speech.recognize({ wav, durationMs }, signal);
        return { ...heard, recognizer: speech.recognizer };
      } catch (error) {
        const again = error instanceof SpeechError && error.passes && error.failure !== 'timeout';
        if (!again || attempt >= attempts || !mayGoOn()) throw error;
        await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  }

  async #failed(speaker: Speaker, failure: SpeechFailure | 'crowded'): Promise<void> {
    this.#services.log.warn({ failure, callId: speaker.callId }, 'a phrase was not recognized');
    this.#captions.tellState(speaker, false);
    await keepGap(speaker, failure);
  }
}

function failureOf(error: unknown): SpeechFailure | 'crowded' {
  if (error instanceof SpeechError) return error.failure;
  if (error instanceof DomainError) return 'crowded';
  throw error;
}

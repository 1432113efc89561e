import { backoffMs } from '#web/live/backoff.ts';
import { WritableStore } from '#web/live/store.ts';
import type { PartStore, SegmentRecord } from './part-store.ts';
import type { Begun, RecordingServer, Reply } from './recording-server.ts';

export type UploadState = {
  /** Bytes that the server has not acknowledged. */
  bytesLeft: number;
  /** Why nothing is saved now; sending goes on. */
  trouble: 'unreachable' | 'full' | null;
  /** The server did not take a segment, and what it contained is lost. */
  refused: boolean;
};

export interface UploaderOptions {
  store: PartStore;
  server: RecordingServer;
  /** Whether video may be sent now: the call comes first. */
  mayUploadVideo: () => Promise<boolean>;
  /** Called when the server says that the participant of a call has withdrawn. */
  onWithdrawn?: (callId: string | undefined) => void;
  /** Whether this page sends a segment that another page has recorded. It does not while that page is open. */
  claim?: (key: string) => Promise<boolean>;
  now?: () => number;
  random?: () => number;
}

/** How long video waits before the call is looked at again. */
const yieldMs = 3_000;

interface Sending {
  record: SegmentRecord;
  /** Parts that the store has and the server has not acknowledged, in order. */
  waiting: { number: number; size: number }[];
  /** Known once the recorder has stopped. */
  partCount: number | null;
  /** Not kept: a page that dies loses it. */
  poster: Blob | null;
}

/**
 * Sends recorded parts, one at a time and in order, until the server has acknowledged each. A part that is sent
 * again is the same part. What the store keeps of an earlier page is sent first.
 */
export class Uploader extends WritableStore<UploadState> {
  readonly #options: UploaderOptions;
  readonly #segments: Sending[] = [];
  #failures = 0;
  #isRunning = false;
  /** Something has happened since the run looked for work. */
  #isWoken = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UploaderOptions) {
    super({ bytesLeft: 0, trouble: null, refused: false });
    this.#options = options;
  }

  /** Takes over what an earlier page has left. */
  async takeOver(): Promise<void> {
    const { store, claim = async () => true } = this.#options;
    for (const record of await store.segments()) {
      if (this.#segments.some((one) => one.record.key === record.key)) continue;
      if (!(await claim(record.key))) continue;
      const waiting = await store.parts(record.key);
      const partCount = (waiting.at(-1)?.number ?? -1) + 1;
      if (partCount === 0) await store.forgetSegment(record.key);
      else this.#segments.push({ record, waiting, partCount, poster: null });
    }
    this.#segments.sort((one, other) => one.record.startedAt - other.record.startedAt);
    this.#count();
    this.#wake();
  }

  /** A recorder begins. The server is told at once, so that the segment begins while the consent holds. */
  async begin(record: SegmentRecord): Promise<void> {
    await this.#options.store.keepSegment(record);
    this.#segments.push({ record, waiting: [], partCount: null, poster: null });
    this.#wake();
  }

  async add(key: string, number: number, content: Blob): Promise<void> {
    const sending = this.#find(key);
    if (!sending) return;
    await this.#options.store.keepPart(key, number, content);
    sending.waiting.push({ number, size: content.size });
    this.#count();
    this.#wake();
  }

  /** The recorder has stopped after so many parts. */
  finish(key: string, partCount: number): void {
    const sending = this.#find(key);
    if (sending) sending.partCount = partCount;
    this.#wake();
  }

  /** A picture that stands for the segment; a later one replaces it. */
  poster(key: string, content: Blob): void {
    const sending = this.#find(key);
    if (sending) sending.poster = content;
    this.#wake();
  }

  /** Throws away what is not yet sent of a call, because its participant has withdrawn. */
  async discard(callId: string | undefined): Promise<void> {
    const isOfCall = ({ record }: Sending) => record.callId === callId;
    const discarded = this.#segments.filter(isOfCall);
    const kept = this.#segments.filter((one) => !isOfCall(one));
    this.#segments.splice(0, this.#segments.length, ...kept);
    for (const { record } of discarded) await this.#options.store.forgetSegment(record.key);
    this.#count();
    this.update({ trouble: null });
  }

  /** Whether anything is kept, by this page or another one. */
  async hasRest(): Promise<boolean> {
    return (await this.#options.store.segments()).length > 0;
  }

  /** Tries now what waits for its next try. */
  hurry(): void {
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wake();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #find(key: string): Sending | undefined {
    return this.#segments.find((one) => one.record.key === key);
  }

  #count(): void {
    const sizes = this.#segments.flatMap(({ waiting }) => waiting.map(({ size }) => size));
    const bytesLeft = sizes.reduce((sum, size) => sum + size, 0);
    if (bytesLeft !== this.getSnapshot().bytesLeft) this.update({ bytesLeft });
  }

  /** A wait for the next try goes on, whatever is recorded meanwhile. */
  #wake(): void {
    this.#isWoken = true;
    if (!this.#isRunning && this.#timer === undefined && !this.#isOver) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let waitMs: number | null = 0;
    while (!this.#isOver && (waitMs === 0 || (waitMs === null && this.#isWoken))) {
      this.#isWoken = false;
      waitMs = await this.#step();
    }
    this.#isRunning = false;
    if (waitMs === null || this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#wake();
    }, waitMs);
  }

  /** @returns milliseconds until the next step; null if there is none before something happens */
  async #step(): Promise<number | null> {
    const sending = this.#segments.find((one) => !isIdle(one));
    if (!sending) return null;
    const { record } = sending;
    const { upload } = record;
    if (!upload) return this.#begin(sending);
    const [next] = sending.waiting;
    const isWaiting = next !== undefined || sending.poster !== null;
    if (isWaiting && record.hasVideo && !(await this.#options.mayUploadVideo())) return yieldMs;
    if (!this.#segments.includes(sending)) return 0;
    if (sending.poster) return this.#sendPoster(sending, upload, sending.poster);
    if (next) return this.#send(sending, upload, next.number);
    return this.#complete(sending, upload, sending.partCount ?? 0);
  }

  async #begin(sending: Sending): Promise<number> {
    const { server, store, now = Date.now } = this.#options;
    const { record } = sending;
    const begun = await server.begin(record, now() - record.startedAt);
    if (typeof begun === 'string') return this.#heard(sending, begun);
    sending.record = { ...record, upload: begun };
    if (this.#segments.includes(sending)) await store.keepSegment(sending.record);
    return this.#heard(sending, 'kept');
  }

  async #send(sending: Sending, upload: Begun, number: number): Promise<number> {
    const { server, store } = this.#options;
    const { key } = sending.record;
    const content = await store.part(key, number);
    if (!this.#segments.includes(sending)) return 0;
    const reply = content ? await server.putPart(upload, number, content) : 'kept';
    if (reply !== 'kept') return this.#heard(sending, reply);
    sending.waiting.shift();
    // The newest part says how many there are, if this page dies.
    if (number > 0 && this.#segments.includes(sending)) await store.forgetPart(key, number - 1);
    this.#count();
    return this.#heard(sending, 'kept');
  }

  /** Tried once: a recording can do without it. */
  async #sendPoster(sending: Sending, upload: Begun, poster: Blob): Promise<number> {
    if (sending.poster === poster) sending.poster = null;
    const reply = await this.#options.server.putPoster(upload, poster);
    return reply === 'withdrawn' ? this.#heard(sending, reply) : 0;
  }

  async #complete(sending: Sending, upload: Begun, partCount: number): Promise<number> {
    const { startedAt } = sending.record;
    const reply = await this.#options.server.complete(upload, partCount, startedAt);
    if (reply === 'kept') await this.#forget(sending);
    return this.#heard(sending, reply);
  }

  async #forget(sending: Sending): Promise<void> {
    const at = this.#segments.indexOf(sending);
    if (at >= 0) this.#segments.splice(at, 1);
    await this.#options.store.forgetSegment(sending.record.key);
    this.#count();
    this.update({});
  }

  /** @returns milliseconds until the next request */
  async #heard(sending: Sending, reply: Reply): Promise<number> {
    if (reply === 'retry' || reply === 'full') {
      this.update({ trouble: reply === 'full' ? 'full' : 'unreachable' });
      this.#failures += 1;
      return backoffMs(this.#failures, this.#options.random ?? Math.random);
    }
    this.#failures = 0;
    if (reply === 'withdrawn') {
      const { callId } = sending.record;
      await this.discard(callId);
      this.#options.onWithdrawn?.(callId);
    }
    if (reply === 'refused') {
      await this.#forget(sending);
      this.update({ refused: true });
    }
    if (this.getSnapshot().trouble !== null) this.update({ trouble: null });
    return 0;
  }
}

/** A segment that waits for its recorder. */
const isIdle = ({ record, waiting, partCount, poster }: Sending): boolean =>
  record.upload !== undefined && waiting.length === 0 && partCount === null && poster === null;

import { Allowance } from '#server/platform/allowance.ts';
import { TimedTurns } from '#server/platform/timed-turns.ts';
import { Detectors } from './detectors.ts';
import { EnergyGate } from './energy-gate.ts';
import type { FromCutter, SpeakerKey, ToCutter } from './messages.ts';
import { type Phrase, PhraseCutter, type SpeechDetector } from './phrase-cutter.ts';
import type { InTurn } from './read-opus.ts';
import { readWebm } from './read-webm.ts';
import { loadSilero } from './silero.ts';
import { SoundOfPhrase } from './sound-of-phrase.ts';
import { WebmGuard } from './webm-guard.ts';

/**
 * The process that cuts the audio of all who are transcribed on this server. A defect of a native library or
 * a hostile file ends it, not the server.
 */

/** A gap in the stream that is longer ends a phrase. */
const longestGapMs = 200;

/**
 * Seconds of sound that a person may send: somewhat more than passes, and what a lost network delivers together. Two
 * bytes can be 120 ms of it, so bytes bound nothing.
 */
const sound = new Allowance({ burst: 60, perSecond: 1.25 });
/** What a packet without sound takes. */
const leastSeconds = 0.01;
/** A slice or a packet at a time: all organizations share this process, and each gets as much of its time. */
const turns = new TimedTurns();

const silero = loadSilero();
const detectors = new Detectors(silero, () => new EnergyGate());

const say = (message: FromCutter) => process.send?.(message);

/** One growing file: its bytes wait here until they are read. */
class Stream {
  readonly #id: number;
  readonly #speaker: SpeakerKey;
  readonly #bytes: ReadableStream<Uint8Array>;
  readonly #sound: SoundOfPhrase | null;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  readonly #inTurn: InTurn = (work) => turns.run(this.#speaker.orgId, work);

  constructor(id: number, speaker: SpeakerKey, isStreamed: boolean) {
    this.#id = id;
    this.#speaker = speaker;
    const tell = (pcm: Uint8Array) => say({ kind: 'sound', stream: id, pcm });
    this.#sound = isStreamed ? new SoundOfPhrase(tell) : null;
    const guard = new WebmGuard();
    this.#bytes = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = null;
      },
    }).pipeThrough(
      new TransformStream(
        {
          transform: (chunk, controller) =>
            this.#inTurn(async () => {
              say({ kind: 'read', stream: id, bytes: chunk.length });
              guard.check(chunk);
              controller.enqueue(chunk);
            }),
        },
        undefined,
        { highWaterMark: 0 },
      ),
    );
  }

  add(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  end(): void {
    this.#controller?.close();
    this.#controller = null;
  }

  async cut(): Promise<void> {
    let error: string | null = null;
    try {
      await this.#cutWith(await detectors.take(this.#speaker.orgId, this.#inTurn));
    } catch (reason) {
      error = String(reason);
    }
    say({ kind: 'ended', stream: this.#id, error });
  }

  async #cutWith(detector: SpeechDetector): Promise<void> {
    const sound = this.#sound;
    const cutter = new PhraseCutter(detector, sound && ((window) => sound.add(window)));
    const tell = (phrases: Phrase[]) => {
      if (phrases.length > 0) sound?.flush();
      for (const phrase of phrases) say({ kind: 'phrase', stream: this.#id, phrase });
    };
    try {
      for await (const { positionMs, decode } of readWebm(this.#bytes, this.#inTurn)) {
        await this.#inTurn(async () => {
          const samples = decode();
          this.#spend(samples.length / 16_000);
          const isGap = positionMs - cutter.positionMs > longestGapMs;
          if (isGap) tell(cutter.skipTo(positionMs));
          tell(cutter.push(samples));
        });
      }
    } finally {
      tell(cutter.skipTo(cutter.positionMs));
      detectors.giveBack(detector);
    }
  }

  #spend(seconds: number): void {
    const waitMs = sound.take(this.#speaker.participantId, Math.max(seconds, leastSeconds));
    if (waitMs > 0) throw new Error('more sound than time');
  }
}

const streams = new Map<number, Stream>();

process.on('message', (message: ToCutter) => {
  if (message.kind === 'open') {
    const stream = new Stream(message.stream, message.speaker, message.isStreamed);
    streams.set(message.stream, stream);
    void stream.cut().finally(() => streams.delete(message.stream));
  } else if (message.kind === 'bytes') {
    streams.get(message.stream)?.add(message.bytes);
  } else {
    streams.get(message.stream)?.end();
  }
});
// The server has ended.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
say({ kind: 'ready', detector: silero ? 'silero' : 'energy' });

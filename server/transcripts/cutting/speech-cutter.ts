import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '#server/platform/log.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { FromCutter, SpeakerKey, ToCutter } from './messages.ts';
import type { Phrase } from './phrase-cutter.ts';

const program = fileURLToPath(new URL('./cutter-process.ts', import.meta.url));
const mostHeapMb = 192;
/** The process ends, and frees its memory, after this long without a stream. */
const idleMs = 60_000;
/** Bytes of one stream that wait to be read: half a minute of speech. More means that it is not keeping up. */
const mostUnreadBytes = 128 * 1024;
/** Streams that an organization begins: each has a decoder of its own, which takes a while to open. */
const beginnings = { burst: 60, perSecond: 10 };
/** As long as the bytes that may wait meanwhile. */
const longestWaitMs = 20_000;

/** The audio of one person, as a WebM file that grows. */
export interface CutStream {
  /** @returns false if the bytes were not taken: the stream has ended, or the server does not keep up */
  write(bytes: Uint8Array): boolean;
  /** Cuts what has arrived, then ends. */
  end(): void;
}

interface Listener {
  /** The sound of a phrase while it is said, if it is wanted: 16 kHz, 16 bits. Without Silero it does not come. */
  onSound?: ((pcm: Uint8Array) => void) | undefined;
  onPhrase(phrase: Phrase): void;
  /** Called once. `error` is null after `end`. */
  onEnd(error: string | null): void;
}

interface Opened extends Listener {
  unread: number;
  /** What its process gets once the stream may begin; null from then on. */
  held: ToCutter[] | null;
}

/** Cuts streams into phrases in a child process, which starts with the first one. */
export class SpeechCutter {
  readonly #log: Logger;
  readonly #streams = new Map<number, Opened>();
  readonly #beginnings = new PacedTurns(beginnings);
  #process: ChildProcess | null = null;
  #count = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  open({ participantId, orgId }: SpeakerKey, listener: Listener): CutStream {
    clearTimeout(this.#idle);
    this.#count += 1;
    const stream = this.#count;
    const opened: Opened = { ...listener, unread: 0, held: [] };
    this.#streams.set(stream, opened);
    const isStreamed = listener.onSound !== undefined;
    this.#tell(opened, { kind: 'open', stream, speaker: { participantId, orgId }, isStreamed });
    void this.#begin(stream, opened, { participantId, orgId });
    const isOpen = () => this.#streams.get(stream) === opened;
    return {
      write: (bytes) => {
        if (!isOpen() || opened.unread + bytes.length > mostUnreadBytes) return false;
        opened.unread += bytes.length;
        this.#tell(opened, { kind: 'bytes', stream, bytes });
        return true;
      },
      end: () => {
        if (isOpen()) this.#tell(opened, { kind: 'close', stream });
      },
    };
  }

  /** Sends the stream to the process in its organization's turn: no flood of beginnings reaches it. */
  async #begin(stream: number, opened: Opened, { orgId, participantId }: SpeakerKey) {
    const signal = AbortSignal.timeout(longestWaitMs);
    const mayBegin = await this.#beginnings.turn(orgId, participantId, signal);
    if (this.#streams.get(stream) !== opened) return;
    if (!mayBegin) return this.#end(stream, opened, 'too many streams begin');
    const held = opened.held ?? [];
    opened.held = null;
    for (const message of held) this.#say(message);
  }

  #tell(opened: Opened, message: ToCutter): void {
    if (opened.held) opened.held.push(message);
    else this.#say(message);
  }

  #end(stream: number, opened: Opened, error: string | null): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#endWhenIdle();
    opened.onEnd(error);
  }

  close(): void {
    clearTimeout(this.#idle);
    const child = this.#process;
    this.#process = null;
    child?.kill();
  }

  #say(message: ToCutter): void {
    const child = this.#process ?? this.#start();
    if (child.connected) child.send(message, () => undefined);
  }

  #start(): ChildProcess {
    const child = fork(program, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${mostHeapMb}`],
      // Nothing of the server's configuration is needed, and a file from outside is decoded there.
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process = child;
    child.on('message', (message: FromCutter) => this.#hear(message));
    child.on('error', (err) => this.#log.error({ err }, 'the process that cuts speech failed'));
    child.on('exit', (code, signal) => {
      if (this.#process !== child) return;
      this.#process = null;
      if (this.#streams.size > 0) {
        this.#log.error({ code, signal }, 'the process that cuts speech ended');
      }
      const lost = [...this.#streams.values()];
      this.#streams.clear();
      for (const stream of lost) stream.onEnd('the process that cuts speech ended');
    });
    // It does not keep the server from ending.
    child.unref();
    child.channel?.unref();
    return child;
  }

  #hear(message: FromCutter): void {
    if (message.kind === 'ready') {
      const { detector } = message;
      if (detector === 'silero') return;
      this.#log.warn('Silero is not available here: speech is found by its loudness alone');
      return;
    }
    const stream = this.#streams.get(message.stream);
    if (!stream) return;
    if (message.kind === 'phrase') stream.onPhrase(message.phrase);
    else if (message.kind === 'sound') stream.onSound?.(message.pcm);
    else if (message.kind === 'read') stream.unread -= message.bytes;
    else this.#end(message.stream, stream, message.error);
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#streams.size === 0) this.close();
    }, idleMs).unref();
  }
}

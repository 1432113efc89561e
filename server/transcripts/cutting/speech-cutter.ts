import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '#server/platform/log.ts';
import type { FromCutter, SpeakerKey, ToCutter } from './messages.ts';
import type { Phrase } from './phrase-cutter.ts';

const program = fileURLToPath(new URL('./cutter-process.ts', import.meta.url));
const mostHeapMb = 192;
/** The process ends, and frees its memory, after this long without a stream. */
const idleMs = 60_000;
/** Bytes of one stream that wait to be read: half a minute of speech. More means that it is not keeping up. */
const mostUnreadBytes = 128 * 1024;

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
}

/** Cuts streams into phrases in a child process, which starts with the first one. */
export class SpeechCutter {
  readonly #log: Logger;
  readonly #streams = new Map<number, Opened>();
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
    this.#streams.set(stream, { ...listener, unread: 0 });
    const isStreamed = listener.onSound !== undefined;
    this.#say({ kind: 'open', stream, speaker: { participantId, orgId }, isStreamed });
    return {
      write: (bytes) => {
        const opened = this.#streams.get(stream);
        if (!opened || opened.unread + bytes.length > mostUnreadBytes) return false;
        opened.unread += bytes.length;
        this.#say({ kind: 'bytes', stream, bytes });
        return true;
      },
      end: () => {
        if (this.#streams.has(stream)) this.#say({ kind: 'close', stream });
      },
    };
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
    else {
      this.#streams.delete(message.stream);
      if (this.#streams.size === 0) this.#endWhenIdle();
      stream.onEnd(message.error);
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#streams.size === 0) this.close();
    }, idleMs).unref();
  }
}

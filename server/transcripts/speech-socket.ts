import type { WebSocket } from 'ws';
import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import {
  longestSpeechSlice,
  type SpeechToServer,
  speechSilenceSeconds,
  speechToServer,
} from '#domain/transcripts/speech-protocol.ts';
import type { Allowance } from '#server/platform/allowance.ts';
import { withoutControls } from '#server/platform/json-text.ts';
import type { CutStream, SpeechCutter } from './cutting/speech-cutter.ts';
import type { LiveWords } from './live-words.ts';
import type { Speaker } from './speaker.ts';
import type { Transcriber } from './transcriber.ts';

/** What a slice costs at least: each is handed to the process that cuts speech. A page sends eight a second. */
const leastBytes = 512;
/** All that one socket may send: a day of speech. */
const mostBytes = 400 * 1024 * 1024;

interface Parts {
  cutter: SpeechCutter;
  transcriber: Transcriber;
  /** Opens what recognizes speech while it is spoken; null where phrases are recognized one by one. */
  openWords: (speaker: Speaker) => LiveWords | null;
  /** Bytes of a participant, which a new socket does not renew. */
  bytes: Allowance;
  /** Messages other than sound, and control frames. */
  messages: Allowance;
}

/** The socket of a page that sends a participant's speech, once it was admitted. */
export class SpeechSocket {
  readonly socket: WebSocket;
  readonly speaker: Speaker;
  readonly #sends: 'sound' | 'phrases';
  readonly #parts: Parts;
  #stream: CutStream | null = null;
  /** Of this file, and of the one before until its last words have come. */
  #words: readonly LiveWords[] = [];
  #received = 0;
  #isRevoked = false;
  readonly #silence: NodeJS.Timeout;

  constructor(socket: WebSocket, speaker: Speaker, sends: 'sound' | 'phrases', parts: Parts) {
    this.socket = socket;
    this.speaker = speaker;
    this.#sends = sends;
    this.#parts = parts;
    this.#silence = setTimeout(() => socket.terminate(), speechSilenceSeconds * 1000).unref();
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#hear(data, isBinary));
    for (const frame of ['ping', 'pong'] as const) socket.on(frame, () => this.#countMessage());
    socket.once('close', () => {
      clearTimeout(this.#silence);
      this.#stream?.end();
    });
  }

  /** Ends the capture at once: what has not become a line yet is thrown away. */
  revoke(code: number, reason: string): void {
    this.#isRevoked = true;
    for (const words of this.#words) words.abort();
    this.socket.close(code, reason);
  }

  /** Ends the capture. What was said before still becomes lines. */
  end(code: number, reason: string): void {
    this.#stream?.end();
    this.#stream = null;
    this.socket.close(code, reason);
  }

  #hear(data: Buffer, isBinary: boolean): void {
    // A socket that is being closed may still deliver what was under way.
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.#silence.refresh();
    if (isBinary) {
      this.#hearSound(data);
      return;
    }
    if (!this.#countMessage()) return;
    const message = parse(data);
    if (message?.type === 'ping') return;
    if (message?.type === 'begin' && this.#sends === 'sound') {
      this.#begin(Date.now() - message.ageMs);
    } else if (message?.type === 'phrase' && this.#sends === 'phrases') {
      this.#parts.transcriber.keep(this.speaker, message, () => !this.#isRevoked);
    } else {
      this.socket.close(closeCodes.badMessage, 'bad message');
    }
  }

  #begin(startedAt: number): void {
    this.#stream?.end();
    const { cutter, transcriber, openWords } = this.#parts;
    const words = openWords(this.speaker);
    if (words) this.#words = [...this.#words.slice(-1), words];
    const mayGoOn = () => !this.#isRevoked;
    const { tenant, participantId } = this.speaker;
    const stream = cutter.open(
      { orgId: tenant.orgId, participantId },
      {
        onSound: words ? (pcm) => words.write(pcm) : undefined,
        onPhrase: (phrase) => {
          if (this.#isRevoked) return;
          const early = words?.finish() ?? null;
          const spoken = { phrase, streamStartedAt: startedAt, early };
          transcriber.transcribe(this.speaker, spoken, mayGoOn);
        },
        onEnd: (error) => {
          words?.end();
          // A new file is cut by a new stream, so the page begins one.
          if (error !== null && this.#stream === stream) this.end(tryAgainLater, 'begin again');
        },
      },
    );
    this.#stream = stream;
  }

  #hearSound(data: Buffer): void {
    const cost = Math.max(leastBytes, data.length);
    this.#received += cost;
    const { bytes } = this.#parts;
    const isTooMuch =
      this.#received > mostBytes || bytes.take(this.speaker.participantId, cost) > 0;
    if (data.length > longestSpeechSlice || isTooMuch) {
      this.end(closeCodes.flooding, 'too much sound');
    } else if (!this.#stream) {
      this.socket.close(closeCodes.badMessage, 'begin first');
    } else if (!this.#stream.write(data)) {
      this.end(tryAgainLater, 'not keeping up');
    }
  }

  #countMessage(): boolean {
    if (this.#parts.messages.take(this.speaker.participantId, 1) === 0) return true;
    this.end(closeCodes.flooding, 'too many messages');
    return false;
  }
}

function parse(data: Buffer): SpeechToServer | null {
  try {
    const parsed = speechToServer.safeParse(JSON.parse(withoutControls(data.toString('utf8'))));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

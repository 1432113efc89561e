import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { listen } from '@deepgram/sdk';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientMessage, clientMessage, listenParameters } from './deepgram-reference.ts';

const bytesPerSecond = 32_000;
/** Deepgram sends the words so far about once a second. */
const interimBytes = bytesPerSecond / 2;

/** One connection, as Deepgram sees it. */
export interface HeardStream {
  query: Record<string, string>;
  messages: ClientMessage['type'][];
  bytes: Buffer[];
  socket: WebSocket;
  /** The code with which either side closed; null while it is open. */
  closedWith: number | null;
}

/** How Deepgram behaves next: an HTTP status refuses the handshake. */
type Trouble = number | 'reset' | 'deaf';

/**
 * A stand-in for Deepgram's `WebSocket /v1/listen`. It closes a connection on anything that the published
 * description does not allow, as Deepgram does: 1008 with DATA-0000.
 */
export class DeepgramStreams {
  readonly heard: HeardStream[] = [];
  readonly connections: Connection[] = [];
  /** For the next connections. */
  readonly next: Trouble[] = [];
  /** The words of a part of the audio. */
  say: (pcm: Buffer) => string = () => 'Hello there.';
  languages: string[] = ['en'];
  /** Whether `Finalize` gets an answer. */
  answersFinalize = true;
  readonly #key: string;
  readonly #sockets = new WebSocketServer({ noServer: true });

  constructor(key: string) {
    this.#key = key;
  }

  get newest(): HeardStream {
    const newest = this.heard.at(-1);
    if (!newest) throw new Error('no stream was opened');
    return newest;
  }

  forget(): void {
    for (const list of [this.heard, this.connections, this.next]) list.length = 0;
    this.answersFinalize = true;
  }

  close(): void {
    // Also those that were forgotten: the server would wait until each has been idle for long.
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const query = listenParameters.safeParse(Object.fromEntries(searchParams));
    const trouble = this.next.shift();
    const status =
      typeof trouble === 'number'
        ? trouble
        : refusal(pathname, request.headers.authorization === `Token ${this.#key}`, query.success);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} Refused\r\ndg-error: refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (open) => {
      if (trouble === 'reset') open.terminate();
      else this.connections.push(new Connection(this, open, query.data ?? {}, trouble === 'deaf'));
    });
  }
}

function refusal(path: string, isKnown: boolean, isValid: boolean): number | null {
  if (path !== '/v1/listen') return 404;
  if (!isKnown) return 401;
  return isValid ? null : 400;
}

class Connection {
  readonly #streams: DeepgramStreams;
  readonly #stream: HeardStream;
  /** Sound without final results. */
  #segment: Buffer[] = [];
  #told = 0;
  #finalTo = 0;

  constructor(streams: DeepgramStreams, socket: WebSocket, query: object, isDeaf: boolean) {
    this.#streams = streams;
    this.#stream = { query: { ...query }, messages: [], bytes: [], socket, closedWith: null };
    streams.heard.push(this.#stream);
    socket.on('close', (code) => {
      this.#stream.closedWith = code;
    });
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#hearSound(data, isDeaf);
      else this.#hear(String(data), isDeaf);
    });
  }

  #hearSound(pcm: Buffer, isDeaf: boolean): void {
    if (pcm.length === 0 || pcm.length % 2 === 1) {
      this.#refuse();
      return;
    }
    this.#stream.bytes.push(pcm);
    this.#segment.push(pcm);
    const bytes = lengthOf(this.#segment);
    if (isDeaf || bytes - this.#told < interimBytes) return;
    this.#told = bytes;
    this.#send(this.#results(false, false));
  }

  #hear(text: string, isDeaf: boolean): void {
    const message = clientMessage.safeParse(parsed(text));
    if (!message.success) {
      this.#refuse();
      return;
    }
    const { type } = message.data;
    this.#stream.messages.push(type);
    if (isDeaf) return;
    if (type === 'Finalize' && this.#streams.answersFinalize) this.finish(true);
    if (type !== 'CloseStream') return;
    this.finish(false);
    this.#send({
      type: 'Metadata',
      transaction_key: 'deprecated',
      request_id: randomUUID(),
      sha256: '',
      created: new Date().toISOString(),
      duration: this.#finalTo,
      channels: 1,
    } satisfies listen.ListenV1Metadata);
    this.#stream.socket.close(1000);
  }

  /** Sends final results for the sound without any; for none, Deepgram sends nothing. */
  finish(isAsked: boolean): void {
    if (this.#segment.length === 0) return;
    const results = this.#results(true, isAsked);
    this.#finalTo = results.start + results.duration;
    this.#segment = [];
    this.#told = 0;
    this.#send(results);
  }

  #results(isFinal: boolean, isAsked: boolean) {
    const pcm = Buffer.concat(this.#segment);
    const { languages } = this.#streams;
    const transcript = this.#streams.say(pcm);
    return {
      type: 'Results',
      channel_index: [0, 1],
      start: this.#finalTo,
      duration: pcm.length / bytesPerSecond,
      is_final: isFinal,
      speech_final: false,
      from_finalize: isAsked,
      channel: { alternatives: [{ transcript, confidence: 0.99, languages, words: [] }] },
      metadata: {
        request_id: randomUUID(),
        model_info: { name: 'general-nova-3', version: '2025-04-17.21547', arch: 'nova-3' },
        model_uuid: randomUUID(),
      },
    } satisfies listen.ListenV1Results;
  }

  #send(message: listen.ListenV1Results | listen.ListenV1Metadata): void {
    this.#stream.socket.send(JSON.stringify(message));
  }

  #refuse(): void {
    this.#stream.socket.close(1008, 'DATA-0000');
  }
}

const lengthOf = (pieces: readonly Buffer[]) =>
  pieces.reduce((length, piece) => length + piece.length, 0);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

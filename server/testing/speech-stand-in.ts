import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DeepgramStreams } from './deepgram-streams.ts';

/** What the stand-in received: the request, and the samples of its WAV file. */
export interface HeardSpeech {
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  model: string | null;
  samples: Int16Array;
}

type Reply = 'hang' | 'drop' | { status: number; type?: string; body: string };

const wavHeaderBytes = 44;

/**
 * A stand-in for speech services on this machine: OpenAI's `POST /v1/audio/transcriptions` and Deepgram's
 * `POST /v1/listen` (and its streams), as their references describe requests and answers. What it "hears" is what `say` returns.
 */
export class SpeechStandIn {
  readonly key = 'stand-in-key';
  /** Deepgram's streams at the same address. */
  readonly streams = new DeepgramStreams(this.key);
  readonly heard: HeardSpeech[] = [];
  /** Replies for the next requests instead of an answer. */
  readonly next: Reply[] = [];
  /** The words of an audio. */
  say: (heard: HeardSpeech) => string = () => 'Hello there.';
  /** Requests that hang. */
  readonly #hanging = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  url = '';

  async open(): Promise<this> {
    this.#server.on('upgrade', (...upgrade) => this.streams.upgrade(...upgrade));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    this.url = `http://127.0.0.1:${address.port}/v1`;
    return this;
  }

  async close(): Promise<void> {
    for (const response of this.#hanging) response.destroy();
    this.streams.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Answers the requests that hang, with words. */
  answerHanging(): void {
    for (const response of this.#hanging) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(said(false, 'Too late.')));
    }
    this.#hanging.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const body = await bodyOf(request);
    const isDeepgram = pathname === '/v1/listen';
    const { wav, model } = isDeepgram
      ? { wav: body, model: searchParams.get('model') }
      : await partsOf(body, request.headers['content-type'] ?? '');
    const heard: HeardSpeech = {
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization,
      model,
      samples: samplesOf(wav),
    };
    this.heard.push(heard);
    const reply = this.next.shift();
    if (reply === 'hang') {
      this.#hanging.add(response);
    } else if (reply === 'drop') {
      response.destroy();
    } else if (reply) {
      response.writeHead(reply.status, { 'content-type': reply.type ?? 'application/json' });
      response.end(reply.body);
    } else {
      const scheme = isDeepgram ? 'Token' : 'Bearer';
      const isKnown = heard.authorization === `${scheme} ${this.key}`;
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isKnown ? said(isDeepgram, this.say(heard)) : refusal));
    }
  }
}

const refusal = { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } };

const said = (isDeepgram: boolean, text: string) =>
  isDeepgram
    ? {
        metadata: { request_id: 'stand-in', channels: 1 },
        results: {
          channels: [
            {
              detected_language: 'en',
              alternatives: [{ transcript: text, confidence: 0.99, words: [] }],
            },
          ],
        },
      }
    : { text };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function partsOf(body: Buffer, type: string) {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData();
  const file = form.get('file');
  const wav = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
  return { wav, model: String(form.get('model')) };
}

function samplesOf(wav: Buffer): Int16Array {
  const isWav = wav.toString('latin1', 0, 4) === 'RIFF' && wav.readUInt32LE(24) === 16_000;
  if (!isWav) return new Int16Array();
  return new Int16Array(new Uint8Array(wav.subarray(wavHeaderBytes)).buffer);
}

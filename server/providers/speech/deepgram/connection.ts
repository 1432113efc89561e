import { WebSocket } from 'ws';
import { failureOf } from '../ask-service.ts';
import { SpeechError } from '../port.ts';
import { type Results, readMessage } from './messages.ts';

export interface DeepgramAccess {
  /** With the version, such as `https://api.deepgram.com/v1`. */
  url: string;
  key: string;
  model: string;
}

export const bytesPerSecond = 32_000;

const openingMs = 5_000;
/** Without sound or a message for 10 seconds, Deepgram closes (NET-0001). */
const keepAliveMs = 4_000;
/** Sound that waits for the network: more than the longest phrase. */
const mostUnsentBytes = 20 * bytesPerSecond;
const longestMessage = 256 * 1024;
/** Deepgram answers `CloseStream` with a last message, and closes. */
const closingMs = 5_000;
/** The close code for audio or parameters that Deepgram does not accept. */
const policyViolation = 1008;

interface Listener {
  onResults(results: Results): void;
  /** Called once, for any end. */
  onEnd(error: SpeechError): void;
}

/** One WebSocket to `/v1/listen`. What is sent while it opens follows once it is open. */
export class DeepgramConnection {
  readonly #socket: WebSocket;
  readonly #listener: Listener;
  #unsent: (Uint8Array | string)[] = [];
  #unsentBytes = 0;
  #isOver = false;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(access: DeepgramAccess, listener: Listener) {
    this.#listener = listener;
    this.#socket = new WebSocket(addressOf(access), {
      headers: { authorization: `Token ${access.key}` },
      handshakeTimeout: openingMs,
      maxPayload: longestMessage,
      perMessageDeflate: false,
    });
    this.#keepAlive = setInterval(() => this.#say('KeepAlive'), keepAliveMs).unref();
    this.#listen();
  }

  write(pcm: Uint8Array): void {
    this.#send(pcm);
    this.#keepAlive.refresh();
    const waiting = this.#unsentBytes + this.#socket.bufferedAmount;
    if (waiting > mostUnsentBytes) this.#fail('timeout', 'Deepgram does not take the sound');
  }

  /** Asks for the words of all that was sent. */
  finalize(): void {
    this.#say('Finalize');
  }

  /** Call when all words have arrived. */
  close(): void {
    if (this.#isOver) return;
    this.#say('CloseStream');
    setTimeout(() => this.#socket.terminate(), closingMs).unref();
    this.#end(new SpeechError('unreachable', 'The stream was closed'));
  }

  abort(): void {
    this.#fail('unreachable', 'The stream was ended');
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('open', () => this.#flush());
    socket.on('message', (data, isBinary) => {
      if (this.#isOver) return;
      const message = isBinary ? null : readMessage(String(data));
      if (message === null) this.#fail('malformed', 'Deepgram sent a message without a transcript');
      else if (message === 'error') this.#fail('failed', 'Deepgram reported an error');
      else if (message !== 'other') this.#listener.onResults(message);
    });
    socket.on('unexpected-response', (_, { statusCode = 500 }) => {
      this.#fail(failureOf(statusCode), `Deepgram answered ${statusCode}`);
    });
    socket.on('error', () => this.#fail('unreachable', 'Deepgram could not be reached'));
    socket.on('close', (code) => {
      const failure = code === policyViolation ? 'refused' : 'unreachable';
      this.#fail(failure, `Deepgram closed the stream with ${code}`);
    });
  }

  #flush(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    this.#unsentBytes = 0;
    for (const data of unsent) this.#socket.send(data);
  }

  #say(type: 'KeepAlive' | 'Finalize' | 'CloseStream'): void {
    this.#send(JSON.stringify({ type }));
  }

  #send(data: Uint8Array | string): void {
    if (this.#isOver) return;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
    else if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.#unsent.push(data);
      this.#unsentBytes += data.length;
    }
  }

  #fail(failure: SpeechError['failure'], message: string): void {
    if (this.#isOver) return;
    this.#end(new SpeechError(failure, message));
    this.#socket.terminate();
  }

  #end(error: SpeechError): void {
    this.#isOver = true;
    clearInterval(this.#keepAlive);
    this.#listener.onEnd(error);
  }
}

/**
 * The server has found the phrases already, and ends each by `Finalize`: so Deepgram looks for no pauses
 * (`endpointing`, `vad_events`, `utterance_end_ms`). A stream has no `detect_language`; Nova reads any of its
 * languages with `multi`.
 */
function addressOf({ url, model }: DeepgramAccess): string {
  const query = new URLSearchParams({
    model,
    encoding: 'linear16',
    sample_rate: '16000',
    channels: '1',
    smart_format: 'true',
    interim_results: 'true',
    endpointing: 'false',
    mip_opt_out: 'true',
  });
  if (/^nova-[23]\b/.test(model)) query.set('language', 'multi');
  return `${url.replace(/^http/, 'ws')}/listen?${query}`;
}

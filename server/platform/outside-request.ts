import { type ClientRequestArgs, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { ResolvedAddress } from './resolve-name.ts';

/** A request to addresses that were checked. */
export interface OutsideRequest {
  url: string;
  addresses: ResolvedAddress[];
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** `100 Continue` and the like, which a server may send before its answer. */
const mostInterimAnswers = 10;
/** Of an answer; further ones are ignored. */
const mostHeaders = 100;
/** Of a body, as of those that the server receives (bounded-chunks.ts): each part costs as much as 512 bytes in one. */
const mostSmallParts = 256;
const bytesOfPart = 512;

/** Connects to the checked addresses, whatever the name resolves to now. */
export const pinnedTo =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const [first] = addresses;
    // A synchronous answer would make the connection fail before its socket has a listener, and an
    // error event without a listener ends the program.
    if (all) process.nextTick(done, null, [...addresses]);
    else process.nextTick(done, null, first?.address ?? '', first?.family);
  };

/**
 * Resolves with the head of the answer. Redirects are not followed.
 * @param connect opens the connection; by default a socket to the addresses
 */
export function sendRequest(
  { url, addresses, method, headers, body }: OutsideRequest,
  signal: AbortSignal,
  connect?: ClientRequestArgs['createConnection'],
): Promise<IncomingMessage> {
  const target = new URL(url);
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let interim = 0;
  const outgoing = request(
    target,
    {
      ...{ method, headers: { 'user-agent': 'Rapport', ...headers }, signal },
      // Without an agent each request has its own connection.
      ...(connect ? { createConnection: connect } : { lookup: pinnedTo(addresses), agent: false }),
    },
    resolve,
  );
  outgoing.maxHeadersCount = mostHeaders;
  outgoing.on('information', () => {
    interim += 1;
    if (interim > mostInterimAnswers) outgoing.destroy(new Error('it sends no final answer'));
  });
  // Without this listener, Node ends the connection and emits nothing else.
  outgoing.on('upgrade', (_incoming, socket) => {
    // Node no longer listens for its errors, and TLS may meet one in what has arrived with the answer.
    socket.on('error', () => undefined);
    socket.destroy();
    reject(new Error('it switches to another protocol'));
  });
  outgoing.on('close', () => reject(new Error('it closed the connection')));
  outgoing.on('error', reject).end(body);
  // No request outlives its signal, whatever the target does. Nor does the signal, which may live longer, keep what was
  // answered.
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** Reads by events, because an iterator would join the parts before they can be counted. */
export function readBytes(
  incoming: IncomingMessage,
  mostBytes: number,
  cuts: boolean,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const all = () => resolve(Buffer.concat(parts, Math.min(size, mostBytes)));
    // Parts that have arrived are still handed on afterward.
    const end = (error?: Error) => {
      incoming.off('data', take);
      incoming.destroy(error);
    };
    const refuse = (reason: string) => end(new Error(reason));
    const take = (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size > mostBytes && !cuts) refuse('its answer is too large');
      else if (parts.length > mostSmallParts + size / bytesOfPart)
        refuse('its answer comes in too small parts');
      else if (size >= mostBytes && cuts) {
        all();
        end();
      }
    };
    incoming.on('error', reject);
    incoming.on('end', all);
    incoming.on('data', take);
  });
}

export const statusOf = ({ statusCode }: IncomingMessage): number => statusCode ?? 502;

/** Returns the pairs of names and values. */
export const headersOf = (incoming: IncomingMessage): [string, string][] =>
  Object.entries(incoming.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );

export function reasonOf(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return tookTooLong;
  // For a host with several addresses, return the error of the last attempt.
  return error instanceof AggregateError ? String(error.errors.at(-1)?.message) : error.message;
}
export const tookTooLong = 'it took too long';

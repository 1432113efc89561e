import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { DomainError } from '#domain/errors.ts';
import { allowedAddresses, isPublicAddress } from './private-addresses.ts';
import { type ResolvedAddress, resolveName } from './resolve-name.ts';

/** Resolves a name to its addresses. Tests pass their own. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

export interface SafeRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Largest answer that is read; 1 MB by default. */
  mostBytes?: number;
  /** Return the beginning of a larger answer, instead of failing. */
  cutsLongAnswers?: boolean;
  /** Time limit for the whole request, with lookups and redirects; ten seconds by default. */
  timeoutMs?: number;
}

/**
 * Fetches a URL that a user entered, and reaches only the public internet: no private, loopback or
 * link-local address, not by a redirect (each is checked again, and only GET follows), and not by a
 * name that resolves differently the second time (the connection uses the checked address). Plain
 * http goes only to addresses that the operator allowed by ALLOW_PRIVATE_TARGETS. At most three
 * redirects.
 * @throws DomainError 400 `private_target` before anything is sent, `target_failed` where no answer
 * came
 */
export type SafeFetch = (url: string, options?: SafeRequest) => Promise<Response>;

const mostRedirects = 3;
/** `100 Continue` and the like, which a server may send before its answer. */
const mostInterimAnswers = 10;
/** Of a body: one byte in each costs a thousand times its length. */
const mostParts = 10_000;
const redirects = new Set([301, 302, 303, 307, 308]);

/** @param allowed private addresses and CIDRs that may be reached, separated by commas */
export function safeFetchFor(
  allowed: string | undefined,
  resolve: Resolve = resolveName,
): SafeFetch {
  const isAllowed = allowedAddresses(allowed);
  return async (url, options = {}) => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? 10_000);
    const { incoming, target } = await follow(url, options, { resolve, isAllowed, signal });
    return read(incoming, options).catch((error: Error) => {
      throw failed(target, reasonOf(error));
    });
  };
}

export interface StreamedAnswer {
  status: number;
  headers: Headers;
  /** To be read or destroyed. */
  body: Readable;
}

/**
 * Fetches what is too large for memory, and reaches the same addresses as `SafeFetch`. The caller bounds its size
 * and its time.
 * @throws DomainError 400 `private_target` before anything is sent, `target_failed` where no answer came
 */
export type SafeStream = (
  url: string,
  options: { headers?: Record<string, string>; signal: AbortSignal },
) => Promise<StreamedAnswer>;

/** @param allowed as for `safeFetchFor` */
export function safeStreamFor(
  allowed: string | undefined,
  resolve: Resolve = resolveName,
): SafeStream {
  const isAllowed = allowedAddresses(allowed);
  return async (url, { headers, signal }) => {
    const { incoming } = await follow(url, headers ? { headers } : {}, {
      resolve,
      isAllowed,
      signal,
    });
    return { status: statusOf(incoming), headers: headersOf(incoming), body: incoming };
  };
}

interface Reach {
  resolve: Resolve;
  isAllowed: (address: string) => boolean;
  signal: AbortSignal;
}

async function follow(
  url: string,
  given: SafeRequest,
  { resolve, isAllowed, signal }: Reach,
): Promise<{ incoming: IncomingMessage; target: URL }> {
  let options = given;
  let target = readTarget(url);
  for (let hop = 0; ; hop += 1) {
    const addresses = await checkedAddresses(target, resolve, isAllowed, signal);
    const incoming = await send(target, addresses, options, signal);
    const { location } = incoming.headers;
    const follows = (options.method ?? 'GET') === 'GET' && redirects.has(statusOf(incoming));
    if (!follows || location === undefined) return { incoming, target };
    incoming.destroy();
    if (hop === mostRedirects) throw failed(target, 'it redirects too often');
    if (!URL.canParse(location, target.href)) throw failed(target, 'it redirects to no address');
    const next = readTarget(new URL(location, target).href);
    if (next.origin !== target.origin) options = withoutCredentials(options);
    target = next;
  }
}

/**
 * Refuses a URL that would not be fetched, before it is stored. A name that does not resolve now is accepted,
 * because it may later.
 * @throws DomainError 400 `bad_target`, `private_target`
 */
export type CheckTarget = (url: string) => Promise<void>;

const longestCheckMs = 3000;

export function targetCheckFor(
  allowed: string | undefined,
  resolve: Resolve = resolveName,
): CheckTarget {
  const isAllowed = allowedAddresses(allowed);
  return async (url) => {
    const signal = AbortSignal.timeout(longestCheckMs);
    await checkedAddresses(readTarget(url), resolve, isAllowed, signal).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'target_failed') return;
      throw error;
    });
  };
}

/** A credential is for the origin that the caller named, not for one that it redirects to. */
function withoutCredentials(options: SafeRequest): SafeRequest {
  const headers = Object.entries(options.headers ?? {}).filter(
    ([name]) => !credentials.has(name.toLowerCase()),
  );
  return { ...options, headers: Object.fromEntries(headers) };
}
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie']);

function readTarget(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : null;
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  if (!target || !isWeb || target.username || target.password) {
    throw new DomainError('invalid', 'bad_target', 'Please enter a URL that starts with https://');
  }
  return target;
}

async function checkedAddresses(
  target: URL,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  // The URL parser has already normalized numbers, octals and hexadecimals to dotted decimals.
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family
    ? [{ address: host, family }]
    : await Promise.race([resolve(host, signal), abortOf(signal)]).catch(() => {
        throw failed(target, signal.aborted ? tookTooLong : 'its name is not known');
      });
  if (found.length === 0) throw failed(target, 'its name is not known');
  const isOpen = (address: string) => target.protocol === 'https:' && isPublicAddress(address);
  if (found.every(({ address }) => isOpen(address) || isAllowed(address))) return found;
  throw new DomainError(
    'invalid',
    'private_target',
    'This URL can’t be used. It must use https and be on the public internet.',
  );
}

/** Rejects once the signal is aborted, because a lookup may ignore it. */
const abortOf = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

function send(
  target: URL,
  addresses: ResolvedAddress[],
  options: SafeRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
  // A synchronous answer would make the connection fail before its socket has a listener, and an
  // error event without a listener ends the program.
  const pinned: LookupFunction = (_hostname, { all }, done) => {
    const [first] = addresses;
    if (all) process.nextTick(done, null, addresses);
    else process.nextTick(done, null, first?.address ?? '', first?.family);
  };
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    let interim = 0;
    const outgoing = request(
      target,
      {
        method: options.method ?? 'GET',
        headers: { 'user-agent': 'Rapport', ...options.headers },
        lookup: pinned,
        agent: false,
        signal,
      },
      resolve,
    );
    outgoing.on('information', () => {
      interim += 1;
      if (interim > mostInterimAnswers) outgoing.destroy(new Error('it sends no final answer'));
    });
    // Without this listener, Node ends the connection and emits nothing else.
    outgoing.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new Error('it switches to another protocol'));
    });
    outgoing.on('close', () => reject(new Error('it closed the connection')));
    outgoing.on('error', reject).end(options.body);
  });
  // No request outlives its signal, whatever the target does.
  return Promise.race([answered, abortOf(signal)]).catch((error: Error) => {
    throw failed(target, reasonOf(error));
  });
}

async function read(
  incoming: IncomingMessage,
  { mostBytes = 1_000_000, cutsLongAnswers = false }: SafeRequest,
): Promise<Response> {
  const bytes = await readBytes(incoming, mostBytes, cutsLongAnswers);
  const status = statusOf(incoming);
  const bodiless = status === 204 || status === 205 || status === 304;
  return new Response(bodiless ? null : bytes, { status, headers: headersOf(incoming) });
}

/** Reads by events, because an iterator would join the parts before they can be counted. */
function readBytes(
  incoming: IncomingMessage,
  mostBytes: number,
  cuts: boolean,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const all = () => resolve(Buffer.concat(parts, Math.min(size, mostBytes)));
    const refuse = (reason: string) => incoming.destroy(new Error(reason));
    incoming.on('error', reject);
    incoming.on('end', all);
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size > mostBytes && !cuts) refuse('its answer is too large');
      else if (parts.length > mostParts) refuse('its answer comes in too small parts');
      else if (size >= mostBytes && cuts) {
        all();
        incoming.destroy();
      }
    });
  });
}

const statusOf = ({ statusCode }: IncomingMessage): number => statusCode ?? 502;

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return headers;
}

function reasonOf(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return tookTooLong;
  // For a host with several addresses, return the error of the last attempt.
  return error instanceof AggregateError ? String(error.errors.at(-1)?.message) : error.message;
}
const tookTooLong = 'it took too long';

const failed = (target: URL, reason: string) =>
  new DomainError('invalid', 'target_failed', `We couldn’t read ${target.host}: ${reason}.`);

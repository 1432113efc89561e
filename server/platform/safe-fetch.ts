import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { DomainError } from '#domain/errors.ts';
import {
  headersOf,
  type OutsideRequest,
  reasonOf,
  sendRequest,
  statusOf,
  tookTooLong,
} from './outside-request.ts';
import { isRedirect } from './outside-tasks.ts';
import { OutsideThread } from './outside-thread.ts';
import { allowedAddresses, isPublicAddress } from './private-addresses.ts';
import { type ResolvedAddress, resolveName } from './resolve-name.ts';

/** Resolves a name to its addresses. Tests pass their own. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

export interface SafeRequest {
  /** The organization that named the address, whose share of the thread it takes; by default the host. */
  payer?: string;
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

/** Returns a fetch whose requests take the organization's share of the thread, for vendors' libraries. */
export const paidBy =
  (payer: string, fetch: SafeFetch): SafeFetch =>
  (url, options) =>
    fetch(url, { ...options, payer });

const mostRedirects = 3;
/** Of a name. They are tried one after the other, and a DNS answer holds thousands. */
const mostAddresses = 8;
/** Of all organizations. Each has a share of it. */
const thread = new OutsideThread();

/** @param allowed private addresses and CIDRs that may be reached, separated by commas */
export function safeFetchFor(
  allowed: string | undefined,
  resolve: Resolve = resolveName,
): SafeFetch {
  const isAllowed = allowedAddresses(allowed);
  return async (url, options = {}) => {
    const limitMs = options.timeoutMs ?? 10_000;
    const signal = AbortSignal.timeout(limitMs);
    const { mostBytes = 1_000_000, cutsLongAnswers = false } = options;
    const answer = await follow(url, options, { resolve, isAllowed, signal }, async (request) => {
      const { payer = new URL(request.url).host } = options;
      const followsRedirects = request.method === 'GET';
      const bounds = { limitMs, mostBytes, cutsLongAnswers, followsRedirects };
      const answered = await thread.request({ ...request, payer, ...bounds }, signal);
      return { ...answered, location: new Headers(answered.headers).get('location') };
    });
    const { status, headers, body } = answer;
    const bodiless = status === 204 || status === 205 || status === 304;
    return new Response(bodiless ? null : body, { status, headers });
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
    const { incoming, status } = await follow(
      url,
      headers ? { headers } : {},
      { resolve, isAllowed, signal },
      async (request) => {
        const incoming = await sendRequest(request, signal);
        const status = statusOf(incoming);
        const { location } = incoming.headers;
        if (isRedirect(status, location)) incoming.destroy();
        return { incoming, status, location };
      },
    );
    return { status, headers: new Headers(headersOf(incoming)), body: incoming };
  };
}

interface Reach {
  resolve: Resolve;
  isAllowed: (address: string) => boolean;
  signal: AbortSignal;
}
interface Hop {
  status: number;
  location: string | null | undefined;
}

/** @param send one request, whose failure is that of its target */
async function follow<Answer extends Hop>(
  url: string,
  given: SafeRequest,
  { resolve, isAllowed, signal }: Reach,
  send: (request: OutsideRequest) => Promise<Answer>,
): Promise<Answer> {
  let options = given;
  let target = readTarget(url);
  for (let hop = 0; ; hop += 1) {
    const addresses = await checkedAddresses(target, resolve, isAllowed, signal);
    const { method = 'GET', headers = {}, body } = options;
    const request = { url: target.href, addresses, method, headers, ...(body && { body }) };
    const answer = await send(request).catch((error: Error) => {
      throw failed(target, reasonOf(error));
    });
    const { status, location } = answer;
    if (method !== 'GET' || !isRedirect(status, location)) return answer;
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
  const all = family
    ? [{ address: host, family }]
    : await Promise.race([resolve(host, signal), abortOf(signal)]).catch(() => {
        throw failed(target, signal.aborted ? tookTooLong : 'its name is not known');
      });
  const found = all.slice(0, mostAddresses);
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

const failed = (target: URL, reason: string) =>
  new DomainError('invalid', 'target_failed', `We couldn’t read ${target.host}: ${reason}.`);

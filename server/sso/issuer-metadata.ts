import type { ServerMetadata } from 'openid-client';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';

interface Kept {
  until: number;
  metadata: Promise<ServerMetadata>;
}

const lifeMs = 5 * 60_000;
/** Failures are cached, so that anonymous sign-in starts cannot send a request each to a failing issuer. */
const failureLifeMs = 5_000;
/** Each takes up to 64 KB as text, and a few times that in memory. */
const mostIssuers = 100;
const kept = new WeakMap<SafeFetch, Map<string, Kept>>();

/**
 * Returns an issuer's metadata, cached for five minutes because the endpoint that starts a sign-in is public.
 * A failure is cached for five seconds.
 * @param fetch the function that `discover` uses; each has a cache of its own
 */
export function keptMetadata(
  fetch: SafeFetch,
  issuer: string,
  discover: () => Promise<ServerMetadata>,
): Promise<ServerMetadata> {
  const cache = kept.get(fetch) ?? new Map<string, Kept>();
  kept.set(fetch, cache);
  const found = cache.get(issuer);
  if (found && found.until > Date.now()) return found.metadata;
  const metadata = discover();
  cache.delete(issuer);
  const [oldest] = cache.keys();
  if (cache.size >= mostIssuers && oldest !== undefined) cache.delete(oldest);
  const entry = { until: Date.now() + lifeMs, metadata };
  cache.set(issuer, entry);
  metadata.catch(() => {
    entry.until = Date.now() + failureLifeMs;
  });
  return metadata;
}

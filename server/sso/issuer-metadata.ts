import type { ServerMetadata } from 'openid-client';
import type { SafeFetch } from '#server/platform/safe-fetch.ts';

interface Kept {
  until: number;
  metadata: Promise<ServerMetadata>;
}

const lifeMs = 5 * 60_000;
/** An issuer that does not answer is not asked again for each sign-in that a stranger begins. */
const failureLifeMs = 5_000;
const mostIssuers = 500;
const kept = new WeakMap<SafeFetch, Map<string, Kept>>();

/**
 * An issuer's metadata, asked for once in five minutes however often people sign in: the endpoint that
 * starts a sign-in is public. A failure is kept for five seconds.
 * @param fetch what `discover` asks with; each has a cache of its own
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

export interface RateLimit {
  /** Requests in a window. */
  limit: number;
  /** Requests that are left in it. */
  remaining: number;
  /** Seconds until it ends. */
  resetSeconds: number;
}

/** Returns what an answer tells of the token's rate limit; null if it tells nothing. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const [, limit] = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  const [, remaining, reset] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (limit === undefined || remaining === undefined) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetSeconds: Number(reset) };
}

/** Returns the seconds of `Retry-After`; null without one. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Returns the URL of the next page (RFC 8288); null on the last one. */
export const nextOf = (headers: Headers): string | null =>
  /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

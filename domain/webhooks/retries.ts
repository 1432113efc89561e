/** An event is retried for so long after its first attempt. */
const retryHours = 24;
const firstDelaySeconds = 5;
const longestDelaySeconds = 4 * 3600;
/** Delays vary by this part, so that the deliveries of an outage do not return together. */
const jitter = 0.2;

/**
 * Returns when a delivery that failed is tried again: later and later, at last a day after the first attempt.
 * @param attempt the number of attempts so far
 * @param retryAfterSeconds as the receiver asked; the time is not before
 * @param random from 0 to 1
 * @returns null when the last attempt has been made
 */
export function nextAttempt({
  firstTryAt,
  attempt,
  retryAfterSeconds,
  now,
  random,
}: {
  firstTryAt: Date;
  attempt: number;
  retryAfterSeconds: number | null;
  now: Date;
  random: number;
}): Date | null {
  const lastAt = firstTryAt.getTime() + retryHours * 3_600_000;
  if (now.getTime() >= lastAt) return null;
  const delay = Math.min(firstDelaySeconds * 4 ** (attempt - 1), longestDelaySeconds);
  const varied = delay * (1 + jitter * (2 * random - 1));
  const seconds = Math.max(varied, retryAfterSeconds ?? 0);
  return new Date(Math.min(now.getTime() + seconds * 1000, lastAt));
}

/** Its beginning: `Wed, 25 Nov 2026 …`. Other texts, such as a negative number, may be dates to JavaScript. */
const httpDate = /^[A-Z][a-z]+,? /;

/**
 * Returns the seconds of a Retry-After header (RFC 9110, 10.2.3), at most a day; null if there is none that can be
 * read.
 */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(httpDate.test(text) ? text : '') - now.getTime()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), retryHours * 3600) : null;
}

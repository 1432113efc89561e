import { DomainError } from '#domain/errors.ts';
import type { Services } from '#server/services.ts';

/** Entries that are over are dropped once there are this many. */
const mostEntries = 10_000;

/**
 * A limit of `most` calls per `windowSeconds` and key, in this process.
 * @returns what to call with the key; it throws DomainError 429 past the limit
 */
export function limit(
  { config }: Services,
  name: string,
  most: number,
  windowSeconds: number,
): (key: string) => void {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (key) => {
    const now = Date.now();
    if (windows.size > mostEntries) {
      for (const [old, window] of windows) if (window.endsAt <= now) windows.delete(old);
    }
    const found = windows.get(key);
    const window =
      found && found.endsAt > now ? found : { count: 0, endsAt: now + windowSeconds * 1000 };
    window.count += 1;
    windows.set(key, window);
    if (window.count <= most * config.RATE_LIMIT_SCALE) return;
    const waitSeconds = Math.ceil((window.endsAt - now) / 1000);
    throw new DomainError(
      'too_many',
      `too_many_${name}`,
      `Too many tries. Please wait ${waitSeconds} seconds and try again.`,
      { retryAfterSeconds: waitSeconds },
    );
  };
}

import type { RateLimit } from '#domain/contract.ts';
import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';
import type { Services } from '#server/services.ts';
import { addressKey } from './address-key.ts';
import { onceForEach } from './once-for-each.ts';

/** Number of keys that one limit keeps. Beyond it, the least recently used key is dropped. */
const mostKeys = 10_000;

/**
 * Creates a limit of `most` calls per `windowSeconds` and key, in this process.
 * @returns a function to call with the key; it throws DomainError 429 past the limit
 */
export const limit = (
  services: Pick<Services, 'config'>,
  name: string,
  most: number,
  windowSeconds: number,
): ((key: string) => void) => returnableLimit(services, { name, most, windowSeconds }).take;

/**
 * Like `limit`, for calls of which only some count, which is known later.
 * @returns `take` counts a call and throws DomainError 429 past the limit; `giveBack` no longer counts it
 */
export function returnableLimit(
  { config }: Pick<Services, 'config'>,
  { name, most, windowSeconds }: RateLimit,
): { take: (key: string) => void; giveBack: (key: string) => void } {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const take = (given: string) => {
    const key = addressKey(given);
    const now = Date.now();
    const found = windows.get(key);
    const window =
      found && found.endsAt > now ? found : { count: 0, endsAt: now + windowSeconds * 1000 };
    window.count += 1;
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > mostKeys) windows.delete(oldest(windows));
    if (window.count <= most * config.RATE_LIMIT_SCALE) return;
    const waitSeconds = Math.ceil((window.endsAt - now) / 1000);
    throw new DomainError(
      'too_many',
      `too_many_${name}`,
      `Too many attempts. Please wait ${waitSeconds} seconds and try again.`,
      { retryAfterSeconds: waitSeconds },
    );
  };
  const giveBack = (given: string) => {
    const window = windows.get(addressKey(given));
    if (window && window.count > 0) window.count -= 1;
  };
  return { take, giveBack };
}

/** A map keeps the order in which its keys were set. */
const oldest = (windows: Map<string, unknown>) => windows.keys().next().value ?? '';

/** By name, of a server process. */
const declaredLimits = onceForEach<Config, Map<string, (key: string) => void>>(() => new Map());

/** Returns the limit that contracts and routes declare. Limits with the same name share one counter. */
export function declaredLimit(
  services: Pick<Services, 'config'>,
  { name, most, windowSeconds }: RateLimit,
): (ip: string) => void {
  const limits = declaredLimits(services.config);
  const made = limits.get(name) ?? limit(services, name, most, windowSeconds);
  limits.set(name, made);
  return made;
}

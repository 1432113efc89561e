const firstMs = 250;
const longestMs = 5_000;

/**
 * How long to wait before attempt number `attempt` (0 is the first). Half of it is random, so that
 * a server that comes back is not met by everybody at once.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const most = Math.min(longestMs, firstMs * 2 ** attempt);
  return most / 2 + (most / 2) * random();
}

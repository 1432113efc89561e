const firstMs = 250;
const longestMs = 5_000;

/**
 * Returns the wait in ms before attempt number `attempt` (0 is the first). Half of it is random, so
 * that not all pages reconnect at the same moment after a restart of the server.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const most = Math.min(longestMs, firstMs * 2 ** attempt);
  return most / 2 + (most / 2) * random();
}

/** A `Date` header is truncated to seconds and delayed by the network: a smaller difference is ignored. */
const leastMs = 10_000;

let aheadMs = 0;

/** Measures from an uncached answer how far off this device's clock is. */
export function hearTime({ headers }: Response): void {
  if (headers.get('cache-control') !== 'no-store') return;
  learnTime(headers.get('date') ?? '');
}

/** Measures it from a time that the server has just sent, as a date in text. */
export function learnTime(told: string): void {
  const off = Date.now() - Date.parse(told);
  if (Number.isNaN(off)) return;
  aheadMs = Math.abs(off) < leastMs ? 0 : off;
}

/** Returns the server's time, in milliseconds since 1970, even if this device's clock is wrong. */
export const serverNow = (): number => Date.now() - aheadMs;

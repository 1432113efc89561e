/** A `Date` header is cut to the second and spent a while on the way: less than this says nothing. */
const leastMs = 10_000;

let aheadMs = 0;

/** Learns from an answer that was not kept anywhere how far off this device's clock is. */
export function hearTime({ headers }: Response): void {
  if (headers.get('cache-control') !== 'no-store') return;
  learnTime(headers.get('date') ?? '');
}

/** Learns it from a time that the server has just told, as a date in text. */
export function learnTime(told: string): void {
  const off = Date.now() - Date.parse(told);
  if (Number.isNaN(off)) return;
  aheadMs = Math.abs(off) < leastMs ? 0 : off;
}

/** The server's time, in milliseconds since 1970: a device whose clock is wrong counts rightly all the same. */
export const serverNow = (): number => Date.now() - aheadMs;

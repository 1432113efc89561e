const nameOf = (key: string) => `rapport.recording:${key}`;
/** Held until the page is gone. */
const always = () => new Promise<never>(() => {});

/** Holds a segment for this page, as long as it is open. */
export function holdSegment(key: string): void {
  if ('locks' in navigator) void navigator.locks.request(nameOf(key), always);
}

/** Takes over a segment whose page is gone. @returns false while that page, or another that took it over, is open */
export async function claimSegment(key: string): Promise<boolean> {
  if (!('locks' in navigator)) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  void navigator.locks.request(nameOf(key), { ifAvailable: true }, (lock) => {
    resolve(lock !== null);
    return lock === null ? undefined : always();
  });
  return promise;
}

/**
 * Holds a screen wake lock, where the browser supports it. The browser releases it whenever the
 * page is hidden, so it is requested again each time the page is shown.
 * @returns a function that releases it
 */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let stopped = false;
  const ask = async () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return;
    try {
      const given = await navigator.wakeLock.request('screen');
      void (stopped ? given : lock)?.release();
      lock = given;
    } catch {
      // Refused to save the battery, or by the embedding page: the call continues.
    }
  };
  const seen = () => void ask();
  document.addEventListener('visibilitychange', seen);
  seen();
  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', seen);
    void lock?.release();
  };
}

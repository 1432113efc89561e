/**
 * Keeps the screen from going dark, where the browser can. It lets go by itself whenever the page
 * is hidden, so it is asked again each time the page is seen.
 * @returns the stop
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
      // Refused to save the battery, or by the page around this one: the call goes on.
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

import { useSyncExternalStore } from 'react';

export function useFullscreen() {
  const on = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => {});
  };
  return { on, toggle };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

import { type RefObject, useEffect, useState } from 'react';

/** Returns the full screen of an element; null where the browser has none. */
export function useFullscreen(element: RefObject<HTMLElement | null>) {
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    const changed = () => setIsOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => {
    const change = document.fullscreenElement
      ? document.exitFullscreen()
      : element.current?.requestFullscreen();
    // A browser refuses it without a click or a key: then nothing changes.
    change?.catch(() => undefined);
  };
  return { isOn, toggle };
}

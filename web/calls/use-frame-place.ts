import { useCallback, useLayoutEffect, useRef } from 'react';
import { placeFrame } from '#web/calls/call-frame.ts';

/**
 * Keeps the call's frame over an element of the page. `put` places it immediately, for an element
 * that moves without a change of its size.
 */
export function useFramePlace(moved: unknown, before: () => void = () => {}) {
  const place = useRef<HTMLDivElement>(null);
  const begin = useRef(before);
  begin.current = before;
  const put = useCallback(() => {
    if (place.current) placeFrame(place.current.getBoundingClientRect());
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has moved is placed anew
  useLayoutEffect(() => {
    begin.current();
    put();
    const observer = new ResizeObserver(put);
    if (place.current) observer.observe(place.current);
    window.addEventListener('resize', put);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', put);
    };
  }, [moved, put]);
  return { place, put };
}

import { type PointerEvent, useRef } from 'react';
import { type Corner, nearestCorner } from './corner.ts';

/** Lets a thing be dragged, and says which corner of its area it was let go nearest to. */
export function useDrag(onCorner: (corner: Corner) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const release = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    from.current = null;
    currentTarget.style.translate = '';
    delete currentTarget.dataset.dragged;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const onButton = event.target instanceof Element && event.target.closest('button') !== null;
      if (onButton || event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
      if (from.current === null) return;
      const { x, y } = from.current;
      currentTarget.style.translate = `${clientX - x}px ${clientY - y}px`;
      currentTarget.dataset.dragged = '';
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const thing = event.currentTarget;
      const area = thing.closest('.stage');
      if (from.current && area && 'dragged' in thing.dataset) {
        onCorner(nearestCorner(thing.getBoundingClientRect(), area.getBoundingClientRect()));
      }
      release(event);
    },
    onPointerCancel: release,
  };
}

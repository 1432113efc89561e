import { type PointerEvent, useRef } from 'react';
import { type Corner, nearestCorner } from './corner.ts';

type Area = Parameters<typeof nearestCorner>[1];
type DragOptions = {
  area?: (thing: HTMLElement) => Area | undefined;
  /** The element has moved, or is back in its place. */
  onMove?: () => void;
};

const stageOf = (thing: HTMLElement) => thing.closest('.stage')?.getBoundingClientRect();

/** Makes an element draggable, and reports the nearest corner of its area on release. */
export function useDrag(
  onCorner: (corner: Corner) => void,
  { area = stageOf, onMove }: DragOptions = {},
) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const release = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    from.current = null;
    currentTarget.style.translate = '';
    delete currentTarget.dataset.dragged;
    onMove?.();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { target, currentTarget } = event;
      // React also reports events of a menu that the element has opened elsewhere in the document.
      if (!(target instanceof Element) || !currentTarget.contains(target)) return;
      if (target.closest('button, a') || event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY };
      currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
      if (from.current === null) return;
      const { x, y } = from.current;
      currentTarget.style.translate = `${clientX - x}px ${clientY - y}px`;
      currentTarget.dataset.dragged = '';
      onMove?.();
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const thing = event.currentTarget;
      const within = area(thing);
      if (from.current && within && 'dragged' in thing.dataset) {
        onCorner(nearestCorner(thing.getBoundingClientRect(), within));
      }
      release(event);
    },
    onPointerCancel: release,
  };
}

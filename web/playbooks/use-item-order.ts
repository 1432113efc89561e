import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { t } from '#web/platform/texts.ts';

interface Order {
  keys: readonly string[];
  move: (from: number, to: number) => void;
}

/**
 * Moves the items of a list: by dragging a handle, or by the arrow keys while it has the focus. The
 * handle keeps the focus, and `said` announces the new position to screen readers.
 */
export function useItemOrder({ keys, move }: Order) {
  const [said, setSaid] = useState('');
  const rows = useRef(new Map<string, HTMLElement>());
  const moved = useRef<string | null>(null);
  const order = useRef<Order>({ keys, move });
  order.current = { keys, move };

  // A row that moved in the document has lost the focus.
  useEffect(() => {
    if (moved.current === null) return;
    rows.current.get(moved.current)?.querySelector<HTMLElement>('[data-handle]')?.focus();
    moved.current = null;
  });

  function moveTo(key: string, to: number) {
    const { keys: now, move: shift } = order.current;
    const from = now.indexOf(key);
    if (from < 0 || to < 0 || to >= now.length || to === from) return;
    moved.current = key;
    shift(from, to);
    setSaid(t('playbooks.dialog.moved', { from: from + 1, to: to + 1, total: now.length }));
  }

  /** Returns the position of the row under the pointer. */
  function placeAt(y: number): number {
    const tops = order.current.keys.map((key) => {
      const box = rows.current.get(key)?.getBoundingClientRect();
      return box ? box.top + box.height : 0;
    });
    const found = tops.findIndex((bottom) => y < bottom);
    return found < 0 ? tops.length - 1 : found;
  }

  const handleOf = (key: string) => ({
    'data-handle': true,
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      moveTo(key, order.current.keys.indexOf(key) + step);
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const drag = new AbortController();
      const { signal } = drag;
      const follow = (at: globalThis.PointerEvent) => moveTo(key, placeAt(at.clientY));
      window.addEventListener('pointermove', follow, { signal });
      for (const end of ['pointerup', 'pointercancel'] as const)
        window.addEventListener(end, () => drag.abort(), { signal });
    },
  });
  const rowOf = (key: string) => (element: HTMLElement | null) => {
    if (element) rows.current.set(key, element);
    else rows.current.delete(key);
  };
  return { said, handleOf, rowOf };
}

import { useEffect } from 'react';

/** The arrow keys go from the search box to the first result, and from one result to the next. */
export function useHitKeys(): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const { key, target, isComposing } = event;
      if (isComposing || (key !== 'ArrowDown' && key !== 'ArrowUp')) return;
      const stops = [...document.querySelectorAll<HTMLElement>('[data-search], [data-hit]')];
      const at = stops.indexOf(target as HTMLElement);
      const next = stops[at + (key === 'ArrowDown' ? 1 : -1)];
      if (at < 0 || !next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, []);
}

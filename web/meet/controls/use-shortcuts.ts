import { useEffect, useRef } from 'react';
import { actionOf, type ShortcutAction } from './shortcuts.ts';

/** Calls `act` for each shortcut that is pressed anywhere on the page. */
export function useShortcuts(act: (action: ShortcutAction) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      if (!event.repeat) latest.current(action);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

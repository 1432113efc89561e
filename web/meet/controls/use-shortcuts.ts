import { useEffect, useRef } from 'react';
import { actionOf, type ShortcutAction } from './shortcuts.ts';

/** Does what a key means, wherever on the page it was pressed. */
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

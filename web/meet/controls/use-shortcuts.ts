import { useEffect, useRef } from 'react';
import type { ShortcutAction } from '#domain/calls/frame-messages.ts';
import { actionOf } from './shortcuts.ts';

/** Dispatched on the window for a shortcut that was pressed on the page around the frame. */
const outsideEvent = 'rapport-shortcut';
export const pressedOutside = (action: ShortcutAction) =>
  dispatchEvent(new CustomEvent(outsideEvent, { detail: action }));

/** Calls `act` for each shortcut that is pressed anywhere on the page, or on the page around its frame. */
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
    const pressedAround = (event: Event) => {
      if (event instanceof CustomEvent) latest.current(event.detail);
    };
    addEventListener('keydown', pressed);
    addEventListener(outsideEvent, pressedAround);
    return () => {
      removeEventListener('keydown', pressed);
      removeEventListener(outsideEvent, pressedAround);
    };
  }, []);
}

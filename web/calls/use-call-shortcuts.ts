import { useEffect } from 'react';
import { tellMeeting } from '#web/calls/call-frame.ts';
import { actionOf } from '#web/meet/controls/shortcuts.ts';

/** The meeting's shortcuts work wherever the focus is on the call screen, once this person has joined. */
export function useCallShortcuts(isJoined: boolean): void {
  useEffect(() => {
    if (!isJoined) return;
    const pressed = (event: KeyboardEvent) => {
      const action = event.defaultPrevented ? null : actionOf(event);
      if (action === null) return;
      event.preventDefault();
      if (!event.repeat) tellMeeting({ rapport: 1, type: 'shortcut', action });
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [isJoined]);
}

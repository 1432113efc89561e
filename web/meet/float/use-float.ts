import { useCallback, useEffect, useState } from 'react';
import type { Meeting } from '../meeting.ts';
import type { Speakers } from '../stage/speakers.ts';
import { floatWay } from './float-ways.ts';

export type Float = {
  /** Null where this browser has none. */
  toggle: (() => void) | null;
  on: boolean;
  /** To be filled by the page. */
  window: Window | null;
};

type Open = { window: Window | null; close: () => void };

/** The call over all other windows. What it needs is loaded with the first click. */
export function useFloat(meeting: Meeting, speakers: Speakers): Float {
  const [open, setOpen] = useState<Open | null>(null);
  const toggle = useCallback(() => {
    if (open) return open.close();
    const way = floatWay();
    const gone = () => setOpen(null);
    const opening =
      way?.kind === 'window'
        ? import('./open-window.ts').then(({ openWindow }) => openWindow(way.opener, gone))
        : import('./open-picture.ts').then(({ openPicture }) =>
            openPicture(meeting, speakers, gone),
          );
    opening.then(setOpen).catch((error: unknown) => {
      // The browser wants a click shortly before, or has no picture to show: it stays as it is.
      console.warn('rapport: the call cannot float', error);
    });
  }, [open, meeting, speakers]);
  useEffect(() => () => open?.close(), [open]);
  return { toggle: floatWay() ? toggle : null, on: open !== null, window: open?.window ?? null };
}

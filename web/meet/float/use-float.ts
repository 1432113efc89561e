import { useCallback, useEffect, useState } from 'react';
import type { Meeting } from '../meeting.ts';
import type { Speakers } from '../stage/speakers.ts';
import { floatWay } from './float-ways.ts';

export type Float = {
  /** Null if this browser supports none. */
  toggle: (() => void) | null;
  on: boolean;
  /** The page renders into it. */
  window: Window | null;
};

type Open = { window: Window | null; close: () => void };

/** Floats the call over all other windows. The code is loaded with the first click. */
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
      // The browser requires a recent click, or there is no video to show: nothing changes.
      console.warn('rapport: the call cannot float', error);
    });
  }, [open, meeting, speakers]);
  useEffect(() => () => open?.close(), [open]);
  return { toggle: floatWay() ? toggle : null, on: open !== null, window: open?.window ?? null };
}

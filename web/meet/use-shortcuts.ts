import { useEffect } from 'react';
import type { LocalMedia } from './local-media.ts';

/** Ctrl or Cmd with D for the microphone and E for the camera, as in other meetings. */
export function useShortcuts(media: LocalMedia): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      const kind = { d: 'audio' as const, e: 'video' as const }[event.key.toLowerCase()];
      if (kind === undefined) return;
      event.preventDefault();
      void media.switch(kind, !media.getSnapshot().wished[kind]);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [media]);
}

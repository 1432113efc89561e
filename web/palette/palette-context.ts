import { createContext, useContext } from 'react';

export const PaletteContext = createContext<() => void>(() => {});
export const useOpenPalette = () => useContext(PaletteContext);

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const shortcut = isMac
  ? { shown: '⌘K', aria: 'Meta+K' }
  : { shown: 'Ctrl K', aria: 'Control+K' };

/** Ctrl-K; on a Mac Cmd-K, since Ctrl-K deletes the rest of a line there. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.shiftKey &&
  !event.altKey;

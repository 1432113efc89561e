import { createContext, useContext } from 'react';

/** Opens the command palette. */
export const PaletteContext = createContext<() => void>(() => {});
export const useOpenPalette = () => useContext(PaletteContext);

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const shortcut = isMac
  ? { shown: '⌘K', aria: 'Meta+K' }
  : { shown: 'Ctrl K', aria: 'Control+K' };

/** Ctrl-K; on a Mac Cmd-K, where Ctrl-K cuts the rest of a line. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.shiftKey &&
  !event.altKey;

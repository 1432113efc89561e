import { useSyncExternalStore } from 'react';
import { looksCookieSeconds, type Theme, themeCookie, themes } from '#domain/looks.ts';

/** The theme that was chosen in this browser; null follows the system. */
export function storedTheme(): Theme | null {
  const value = document.cookie.match(new RegExp(`(?:^|; )${themeCookie}=(\\w+)`))?.[1];
  return themes.find((theme) => theme === value) ?? null;
}

const listeners = new Set<() => void>();

/** Stores a choice on this device and applies it; null follows the system again. */
export function chooseTheme(theme: Theme | null): void {
  const value = theme ? `${theme}; max-age=${looksCookieSeconds}` : '; max-age=0';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store before version 140.
  document.cookie = `${themeCookie}=${value}; path=/; samesite=lax`;
  showTheme(theme);
  for (const listener of listeners) listener();
}

/** The server writes the theme into the page; this applies a later choice, and is needed in development. */
export function showTheme(theme: Theme | null): void {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme | null => useSyncExternalStore(listen, storedTheme);

import { chooseLanguage, type Language } from '#domain/languages.ts';
import { languageCookie, looksCookieSeconds } from '#domain/looks.ts';

const inBrowser = typeof document !== 'undefined';
const ofBrowser = inBrowser ? navigator.languages : [];

/** The language that was chosen in this browser, if any. */
export const storedLanguage = (): string | undefined =>
  inBrowser
    ? document.cookie.match(new RegExp(`(?:^|; )${languageCookie}=(\\w+)`))?.[1]
    : undefined;
const stored = storedLanguage();

/**
 * The language of this page while it is open: the one that was chosen in this browser, else the
 * first supported one of the browser's languages.
 */
export const language: Language = chooseLanguage([...(stored ? [stored] : []), ...ofBrowser]);

/** The locale for dates and numbers: the browser's variant of that language ('de-CH'). */
export const locale: string =
  ofBrowser.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;

/** Stores a choice in this browser, or removes it. Pages that open from now on use it. */
export function storeLanguage(chosen: Language | null): void {
  const value = chosen ? `${chosen}; max-age=${looksCookieSeconds}` : '; max-age=0';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store before version 140.
  document.cookie = `${languageCookie}=${value}; path=/; samesite=lax`;
}

if (inBrowser) document.documentElement.lang = language;

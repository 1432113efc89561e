import { chooseLanguage, type Language } from '#domain/languages.ts';
import { languageCookie, looksCookieSeconds } from '#domain/looks.ts';

const inBrowser = typeof document !== 'undefined';
const ofBrowser = inBrowser ? navigator.languages : [];

/** What was chosen in this browser, if anything was. */
export const storedLanguage = (): string | undefined =>
  inBrowser
    ? document.cookie.match(new RegExp(`(?:^|; )${languageCookie}=(\\w+)`))?.[1]
    : undefined;
const stored = storedLanguage();

/**
 * The language of this page, for as long as it is open: what was chosen in this browser, else the
 * first of the browser's own that we speak.
 */
export const language: Language = chooseLanguage([...(stored ? [stored] : []), ...ofBrowser]);

/** How dates and numbers are written: as the browser's own kind of that language does ('de-CH'). */
export const locale: string =
  ofBrowser.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;

/** Keeps a choice in this browser, or takes it back. Pages that open from now on speak it. */
export function storeLanguage(chosen: Language | null): void {
  const value = chosen ? `${chosen}; max-age=${looksCookieSeconds}` : '; max-age=0';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store before version 140.
  document.cookie = `${languageCookie}=${value}; path=/; samesite=lax`;
}

if (inBrowser) document.documentElement.lang = language;

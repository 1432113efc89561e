import { chooseLanguage, type Language } from '#domain/languages.ts';

/**
 * In a cookie, so that the server can write it into the page, and the meeting page in its frame and
 * the app have the same.
 */
const cookieName = 'rapport_language';
const aYearSeconds = 31_536_000;

const inBrowser = typeof document !== 'undefined';
const stored = inBrowser
  ? document.cookie.match(new RegExp(`(?:^|; )${cookieName}=(\\w+)`))?.[1]
  : undefined;
const ofBrowser = inBrowser ? navigator.languages : [];

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
  const value = chosen ? `${chosen}; max-age=${aYearSeconds}` : '; max-age=0';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store before version 140.
  document.cookie = `${cookieName}=${value}; path=/; samesite=lax`;
}

if (inBrowser) document.documentElement.lang = language;

import { createContext, useContext } from 'react';
import { type PublicPage, type PublicPageInput, publicPaths } from '#domain/public/pages.ts';
import de from '#web/texts/de/public.json';
import en from '#web/texts/en/public.json';

export type PublicTexts = typeof en;
export const textsOf: Record<PublicPageInput['language'], PublicTexts> = { en, de };

export const PageContext = createContext<PublicPageInput | null>(null);

/** Returns the input of this page, and its texts. */
export function usePage(): PublicPageInput & { texts: PublicTexts } {
  const input = useContext(PageContext);
  if (input === null) throw new Error('A part of a public page stands outside of one');
  return { ...input, texts: textsOf[input.language] };
}

/** Fills in `{{name}}` in a text. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ''));

/**
 * Returns the path of a public page in a language. English has the plain path; links of the others
 * keep their language, so that no cookie is needed.
 */
export function pathOf(
  page: PublicPage,
  language: PublicPageInput['language'],
  { query = '', hash = '' }: { query?: string; hash?: string } = {},
): string {
  const wanted = [language === 'en' ? '' : `lang=${language}`, query].filter(Boolean).join('&');
  return `${publicPaths[page]}${wanted && `?${wanted}`}${hash && `#${hash}`}`;
}

/** Every way to sign in leads to the dashboard. */
export const signInPath = '/auth?next=/app';

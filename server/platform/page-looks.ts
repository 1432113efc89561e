import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage, type Language } from '#domain/languages.ts';
import {
  languageCookie,
  looksCookieSeconds,
  type Theme,
  themeCookie,
  themes,
} from '#domain/looks.ts';
import { isSecure } from './secure-cookies.ts';

/**
 * Returns a page in the reader's language and theme from its first line, so that it never flashes
 * in another one. In built pages, `<!--de:…-->` contains the files that German readers load in
 * addition.
 */
export function withLooks(page: string, request: FastifyRequest): string {
  const language = languageOf(request);
  const theme = themeOf(request);
  const attribute = theme ? ` data-theme="${theme}"` : '';
  return page
    .replace(/<html lang="\w+">/, `<html lang="${language}"${attribute}>`)
    .replace(/(<meta name="color-scheme" content=")[^"]*/, `$1${theme ?? 'light dark'}`)
    .replace(/<!--de:(.*?)-->/g, language === 'de' ? '$1' : '');
}

/** Returns the theme chosen in this browser; null follows the system. */
export const themeOf = (request: FastifyRequest): Theme | null =>
  themes.find((name) => name === request.cookies[themeCookie]) ?? null;

/** Returns the language chosen in this browser, or the first of the browser's languages that we support. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = request.cookies[languageCookie];
  return chooseLanguage([
    ...(chosen ? [chosen] : []),
    ...byWish(request.headers['accept-language'] ?? ''),
  ]);
}

/** Turns 'de;q=0.7, en' into ['en', 'de'] (RFC 9110, Accept-Language). */
function byWish(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', weight = ''] = entry.split(';');
      const q = /q=([\d.]+)/.exec(weight)?.[1];
      return { tag: tag.trim(), q: q === undefined ? 1 : Number(q) };
    })
    .filter(({ tag, q }) => tag !== '' && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
}

/** Stores the account's language for the pages that this browser opens from now on. */
export function setLanguageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  language: Language | null,
): void {
  const attributes = {
    path: '/',
    sameSite: 'lax' as const,
    secure: isSecure(request),
  };
  if (language === null) reply.clearCookie(languageCookie, attributes);
  else reply.setCookie(languageCookie, language, { ...attributes, maxAge: looksCookieSeconds });
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languages } from '#domain/languages.ts';
import { languageOf, setLanguageCookie } from '#server/platform/page-looks.ts';

/**
 * Returns the language of a public page: the one in its URL (`?lang=de`), which the browser then
 * keeps, also for the app; otherwise the language of every page.
 */
export function askedLanguage(request: FastifyRequest, reply: FastifyReply): Language {
  const { query } = request;
  const asked = typeof query === 'object' && query && 'lang' in query ? query.lang : undefined;
  const language = languages.find((each) => each === asked);
  if (language === undefined) return languageOf(request);
  setLanguageCookie(request, reply, language);
  return language;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languages } from '#domain/languages.ts';
import { languageOf, setLanguageCookie } from '#server/platform/page-looks.ts';

/**
 * The language of a public page: what its address says (`?lang=de`), which the browser then keeps,
 * for the app too; else what every page is shown in.
 */
export function askedLanguage(request: FastifyRequest, reply: FastifyReply): Language {
  const { query } = request;
  const asked = typeof query === 'object' && query && 'lang' in query ? query.lang : undefined;
  const language = languages.find((each) => each === asked);
  if (language === undefined) return languageOf(request);
  setLanguageCookie(request, reply, language);
  return language;
}

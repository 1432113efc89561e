import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '#domain/errors.ts';
import type { Language } from '#domain/languages.ts';
import { languageOf } from '../platform/page-looks.ts';
import { allowFraming } from '../platform/security-headers.ts';

interface Texts {
  title: string;
  wait: (seconds: number) => string;
  again: string;
}
const texts: Record<Language, Texts> = {
  en: {
    title: 'Too many attempts',
    wait: (seconds) => `Please wait ${seconds} seconds and try again.`,
    again: 'Try again',
  },
  de: {
    title: 'Zu viele Versuche',
    wait: (seconds) => `Bitte warten Sie ${seconds} Sekunden und versuchen Sie es erneut.`,
    again: 'Erneut versuchen',
  },
};

/**
 * Answers a guest's page to an address beyond its rate: small, and without a query. Any site may frame it, because
 * only a query tells which ones may; it contains nothing of an organization and nothing to act on.
 */
export function sendWaitPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, retryAfterSeconds = 1 }: DomainError,
) {
  const language = languageOf(request);
  const { title, wait, again } = texts[language];
  allowFraming(reply, ['https:', 'http:']);
  return reply
    .code(status)
    .header('retry-after', retryAfterSeconds)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${wait(retryAfterSeconds)}</p><p><a href="">${again}</a></p></html>`,
    );
}

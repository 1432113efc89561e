import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendContact } from '#domain/contact/contract.ts';
import { type PublicPage, publicPaths } from '#domain/public/pages.ts';
import { type Site, signedIn } from '#server/http/route.ts';
import { sessionToken } from '#server/http/session-cookie.ts';
import { themeOf } from '#server/platform/page-looks.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { apiDescription } from './api-description.ts';
import { loadBuiltPages } from './built-pages.ts';
import { readClaims } from './claims.ts';
import { robots, sitemap } from './crawlers.ts';
import { askedLanguage } from './language.ts';
import { pagesOfAnyOrigin, pagesOfOneOrigin, type RenderedPage } from './rendered-pages.ts';

const hidden = { schema: { hide: true } };

/**
 * Serves `/`, `/features`, `/about`, `/contact`, `/signup` and `/docs/api` as complete HTML, and the files for
 * crawlers.
 */
export async function publicRoutes(site: Site, pagesDir: string | null): Promise<void> {
  if (pagesDir === null) return;
  const { http, config } = site;
  const { render, scripts } = await loadBuiltPages(pagesDir);
  const claims = readClaims(config.DATA_DIR);
  const rendered = config.PUBLIC_URL ? pagesOfOneOrigin(render) : pagesOfAnyOrigin(render);
  const pageFor = async (page: PublicPage, request: FastifyRequest, reply: FastifyReply) =>
    rendered({
      page,
      language: askedLanguage(request, reply),
      theme: themeOf(request),
      origin: originOf(site, request),
      signedIn: await isSignedIn(site, request),
      claims,
      contact: {
        sendTo: config.CONTACT_INBOX === undefined ? null : sendContact.path,
        emailRule: z.regexes.email.source,
      },
      privacyUrl: config.PRIVACY_URL ?? null,
      termsUrl: config.TERMS_URL ?? null,
      api: page === 'api' ? apiDescription() : null,
      scripts,
    });

  for (const [page, path] of entriesOf(publicPaths)) {
    http.get(path, hidden, async (request, reply) =>
      send(request, reply, await pageFor(page, request, reply)),
    );
    if (page !== 'home')
      http.get(`${path}/`, hidden, async (_, reply) => reply.redirect(path, 308));
  }
  http.get('/sitemap.xml', hidden, async (request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap(originOf(site, request))),
  );
  http.get('/robots.txt', hidden, async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots(originOf(site, request))),
  );
}

const entriesOf = <T extends object>(object: T) =>
  Object.entries(object) as [keyof T, T[keyof T]][]; // typed as string by the standard library

/**
 * Returns the origin of a page. Without PUBLIC_URL it comes from the request's Host, which may
 * contain anything, so it is normalized.
 */
function originOf({ config }: Site, request: FastifyRequest): string {
  const url = publicUrl(config, request);
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}

/** If the session cannot be read now, the reader gets the page for visitors. */
async function isSignedIn(site: Site, request: FastifyRequest): Promise<boolean> {
  if (sessionToken(request) === undefined) return false;
  return signedIn(site, request).then(
    () => true,
    () => false,
  );
}

/**
 * Browsers keep a page and revalidate it each time, because it differs by the signed-in user and by
 * language, and a change shows immediately.
 */
function send(request: FastifyRequest, reply: FastifyReply, page: RenderedPage) {
  reply
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding, accept-language, cookie')
    .header('etag', page.etag)
    .type('text/html; charset=utf-8');
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!zips) return reply.send(page.html());
  return reply.header('content-encoding', 'gzip').send(page.gzip());
}

import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PublicPageInput, RenderPublicPage } from '#domain/public/pages.ts';
import { PageTemplate } from './page-template.ts';

export interface RenderedPage {
  html: () => Buffer;
  gzip: () => Buffer;
  etag: string;
}

/** Pages of an installation that has one origin (PUBLIC_URL): each is rendered and compressed once. */
export function pagesOfOneOrigin(
  render: RenderPublicPage,
): (input: PublicPageInput) => RenderedPage {
  return keptPages((input) => {
    const html = Buffer.from(render(input));
    const gzip = gzipSync(html, { level: 9 });
    const hash = createHash('sha256').update(html).digest('base64url').slice(0, 22);
    return { html: () => html, gzip: () => gzip, etag: `"${hash}"` };
  });
}

/**
 * Pages that contain the origin of their request, which a client may invent: each is rendered and
 * compressed once for all origins. The compressed page is a tenth longer than that of `pagesOfOneOrigin`.
 */
export function pagesOfAnyOrigin(
  render: RenderPublicPage,
): (input: PublicPageInput) => RenderedPage {
  const gap = `https://${randomUUID()}.invalid`;
  const templateOf = keptPages((input) => new PageTemplate(render({ ...input, origin: gap }), gap));
  return (input) => {
    const template = templateOf(input);
    // Of an accepted Host (accepted-hosts.ts): nothing in it is escaped in HTML or JSON.
    const { origin } = input;
    return {
      html: () => template.html(origin),
      gzip: () => template.gzip(origin),
      etag: template.etag(origin),
    };
  };
}

/** Keeps what `make` returns, by everything but the origin in which requests differ. */
function keptPages<Page>(make: (input: PublicPageInput) => Page) {
  const kept = new Map<string, Page>();
  return (input: PublicPageInput): Page => {
    const key = `${input.page} ${input.language} ${input.theme} ${input.signedIn}`;
    const page = kept.get(key) ?? make(input);
    kept.set(key, page);
    return page;
  };
}

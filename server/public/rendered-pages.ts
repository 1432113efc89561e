import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PublicPageInput, RenderPublicPage } from '#domain/public/pages.ts';

export interface RenderedPage {
  html: Buffer;
  gzip: Buffer;
  etag: string;
}

/**
 * Without PUBLIC_URL a page contains the address of its request. Pages are kept for at most this
 * many addresses.
 */
const mostOrigins = 8;

/** Renders a page at its first request, and keeps it. */
export function renderedPages(render: RenderPublicPage) {
  const kept = new Map<string, Map<string, RenderedPage>>();
  return (input: PublicPageInput): RenderedPage => {
    const pages = kept.get(input.origin) ?? new Map<string, RenderedPage>();
    // Moved to the end, so that invented addresses displace each other and not the one in use.
    kept.delete(input.origin);
    kept.set(input.origin, pages);
    const [oldest] = kept.keys();
    if (kept.size > mostOrigins && oldest !== undefined) kept.delete(oldest);
    const key = `${input.page} ${input.language} ${input.theme} ${input.signedIn}`;
    const found = pages.get(key) ?? rendered(render(input));
    pages.set(key, found);
    return found;
  };
}

function rendered(page: string): RenderedPage {
  const html = Buffer.from(page);
  const hash = createHash('sha256').update(html).digest('base64url').slice(0, 22);
  return { html, gzip: gzipSync(html, { level: 9 }), etag: `"${hash}"` };
}

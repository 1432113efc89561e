import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PublicPageInput, RenderPublicPage } from '#domain/public/pages.ts';

export interface RenderedPage {
  html: Buffer;
  gzip: Buffer;
  etag: string;
}

/** Without PUBLIC_URL a page names the address that it was asked for: at most this many of them. */
const mostOrigins = 8;

/** Renders a page when it is first asked for, and keeps it. */
export function renderedPages(render: RenderPublicPage) {
  const kept = new Map<string, Map<string, RenderedPage>>();
  return (input: PublicPageInput): RenderedPage => {
    const pages = kept.get(input.origin) ?? new Map<string, RenderedPage>();
    // An address that is made up each time displaces others like it, not the one that is in use.
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

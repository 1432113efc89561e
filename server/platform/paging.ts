import type { FastifyRequest } from 'fastify';
import type { PageQuery } from '#domain/paging.ts';

/**
 * Returns the `Link` header of a full page, with the URL of the next one (RFC 8288).
 * @param isCut the page is shorter than requested, and more items follow
 */
export function nextPage(
  request: FastifyRequest,
  page: PageQuery,
  items: readonly { id: string }[],
  isCut = false,
): Record<string, string> {
  const last = items.at(-1);
  if (!last || (items.length < page.limit && !isCut)) return {};
  const [path, query] = request.url.split('?');
  const next = new URLSearchParams(query);
  next.set('before', last.id);
  return { link: `<${path}?${next}>; rel="next"` };
}

import type { FastifyRequest } from 'fastify';
import type { PageQuery } from '#domain/paging.ts';

/**
 * The `Link` header of a full page: where the next one is (RFC 8288).
 * @param isCut the page is shorter than was asked for, and more follow
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

import type { FastifyRequest } from 'fastify';
import type { PageQuery } from '#domain/paging.ts';

/**
 * Returns the first rows, at least one, of which each of these columns adds up to at most its number. A page of
 * a list ends there, so that its answer costs about the same whatever its rows contain.
 */
export function rowsWithin<Column extends string, Row extends Record<Column, number>>(
  rows: readonly Row[],
  most: Record<Column, number>,
): Row[] {
  const columns = Object.keys(most) as Column[];
  const sums = Object.fromEntries(columns.map((column) => [column, 0])) as Record<Column, number>;
  const past = rows.findIndex((row) => {
    for (const column of columns) sums[column] += row[column];
    return columns.some((column) => sums[column] > most[column]);
  });
  return past === -1 ? [...rows] : rows.slice(0, Math.max(1, past));
}

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
  return continuedBy(request, { before: last.id });
}

/** Returns the `Link` header with the URL of the request, in which these parameters are replaced. */
export function continuedBy(
  request: FastifyRequest,
  cursor: Record<string, string>,
): Record<string, string> {
  const [path, query] = request.url.split('?');
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(cursor)) next.set(name, value);
  return { link: `<${path}?${next}>; rel="next"` };
}

import { longestPage } from '#domain/scim/endpoints.ts';
import { badFilter, badValue } from '#domain/scim/error.ts';
import { parseFilter, pathOf } from '#domain/scim/filter.ts';
import { searchesOf } from '#domain/scim/filter-bounds.ts';
import { isBroken, type JsonObject, member } from '#domain/scim/json.ts';
import { namesIn, type Wanted } from '#domain/scim/project.ts';
import type { ResourceType } from '#domain/scim/schema.ts';
import { type SQL, sql } from '#server/platform/drizzle.ts';
import { filterSql } from './filter-sql.ts';
import { type PlaceOf, placeOf } from './places.ts';

/** A list query (RFC 7644, 3.4.2), ready for the database. */
export interface ListQuery {
  where: SQL;
  orderBy: SQL;
  startIndex: number;
  count: number;
  wanted: Wanted;
  /** Whether it reads every resource instead of using an index. */
  isSearch: boolean;
}

/** @param given the query parameters, or the body of a `.search` */
export function readListQuery(type: ResourceType, places: PlaceOf, given: JsonObject): ListQuery {
  const filter = member(given, 'filter');
  if (filter !== undefined && typeof filter !== 'string') throw badFilter('A filter is a text.');
  const parsed = filter ? parseFilter(filter) : undefined;
  const searches = parsed ? searchesOf(type, parsed) : 0;
  return {
    where: parsed ? filterSql(type, places, parsed) : sql.raw('true'),
    orderBy: orderBy(type, places, given),
    startIndex: Math.max(1, wholeNumber(given, 'startIndex') ?? 1),
    count: Math.min(longestPage, Math.max(0, wholeNumber(given, 'count') ?? longestPage)),
    wanted: readWanted(given),
    isSearch: searches > 0 || Boolean(member(given, 'sortBy')),
  };
}

/** Reads `attributes` and `excludedAttributes`. If both are present, the former wins. */
export function readWanted(given: JsonObject): Wanted {
  const only = namesIn(member(given, 'attributes'));
  const without = namesIn(member(given, 'excludedAttributes'));
  return { ...(only ? { only } : {}), ...(without && !only ? { without } : {}) };
}

/** Ties and unsorted lists are ordered by creation. */
function orderBy(type: ResourceType, places: PlaceOf, given: JsonObject): SQL {
  const by = member(given, 'sortBy');
  if (by === undefined || by === '') return sql.raw('1');
  if (typeof by !== 'string' || isBroken(by)) throw badValue('sortBy is the name of an attribute.');
  const path = pathOf(by);
  const place = placeOf(type, places, path);
  const isDown = String(member(given, 'sortOrder') ?? '').toLowerCase() === 'descending';
  const direction = sql.raw(isDown ? 'desc' : 'asc');
  if (place.kind === 'values') return sql`${place.first} ${direction}, 1`;
  const held = place.kind === 'text' && !place.caseExact ? sql`lower(${place.at})` : place.at;
  return sql`${held} ${direction}, 1`;
}

/** Clamps numbers that are larger than any list. */
function wholeNumber(given: JsonObject, name: string): number | undefined {
  const value = member(given, name);
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'number' ? value : Number(value);
  if (!Number.isInteger(number)) throw badValue(`${name} must be a whole number.`);
  return Math.max(-1, Math.min(number, 2_000_000_000));
}

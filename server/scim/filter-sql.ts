import { z } from 'zod';
import { badFilter } from '#domain/scim/error.ts';
import type { Filter, FilterValue, Operator } from '#domain/scim/filter.ts';
import { isBroken } from '#domain/scim/json.ts';
import type { AttributePath, ResourceType } from '#domain/scim/schema.ts';
import { type SQL, sql } from '#server/platform/drizzle.ts';
import { type Place, type PlaceOf, placeOf } from './places.ts';

type Compare = Extract<Filter, { kind: 'compare' }>;
type FindPlace = (path: AttributePath) => Place;

/**
 * Returns a filter as a condition with bound parameters. `userName eq`, `externalId eq`, and `id eq` become
 * comparisons that an index can answer.
 * @throws ScimError 400 invalidFilter
 */
export function filterSql(type: ResourceType, places: PlaceOf, filter: Filter): SQL {
  return conditionOf(filter, (path) => placeOf(type, places, path));
}

function conditionOf(filter: Filter, find: FindPlace): SQL {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => conditionOf(part, find));
      return sql`(${sql.join(parts, sql.raw(` ${filter.kind} `))})`;
    }
    case 'not':
      // An absent attribute compares as null, which `not` must treat as false.
      return sql`(not coalesce(${conditionOf(filter.part, find)}, false))`;
    case 'some': {
      const place = find(filter.path);
      if (place.kind !== 'values') throw badFilter(`${filter.path.name} has a single value.`);
      return place.some(conditionOf(filter.filter, (path) => place.part(path.name)));
    }
    case 'present':
      return presentSql(filter.path, find);
    case 'compare':
      return at(find, filter.path, (place) => compared(place, filter));
  }
}

function presentSql(path: AttributePath, find: FindPlace): SQL {
  const place = find(path);
  if (place.kind === 'values' && path.sub === undefined) return place.some(sql.raw('true'));
  return at(find, path, (single) => {
    if (single.kind === 'values') throw badFilter('Name a part of the values.');
    return single.kind === 'text'
      ? sql`coalesce(${single.at}, '') <> ''`
      : sql`${single.at} is not null`;
  });
}

/** A path into a multi-valued attribute matches if one of its values does. */
function at(find: FindPlace, path: AttributePath, make: (place: Place) => SQL): SQL {
  const place = find(path);
  if (place.kind !== 'values') return make(place);
  return place.some(make(place.part(path.sub ?? 'value')));
}

function compared(place: Place, filter: Compare): SQL {
  const { operator, value } = filter;
  switch (place.kind) {
    case 'values':
      throw badFilter('Name a part of the values.');
    case 'boolean':
      return booleanSql(place.at, operator, value);
    case 'time':
      return timeSql(place.at, operator, value);
    case 'id':
      return idSql(place.at, operator, value);
    case 'text':
      return textSql(place, operator, value);
  }
}

const uuid = z.uuid();
const signs = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function idSql(column: SQL, operator: Operator, value: FilterValue): SQL {
  const isId = uuid.safeParse(value).success;
  if (operator === 'eq') return isId ? sql`${column} = ${value}::uuid` : sql.raw('false');
  return textSql({ at: sql`${column}::text`, caseExact: true }, operator, value);
}

function textSql(
  {
    at: column,
    caseExact,
    folded,
  }: Pick<Extract<Place, { kind: 'text' }>, 'at' | 'caseExact' | 'folded'>,
  operator: Operator,
  value: FilterValue,
): SQL {
  if (value === null) return nullSql(column, operator);
  const said = String(value);
  if (isBroken(said)) throw badFilter('A text holds a NUL character or half a surrogate pair.');
  const held = caseExact ? column : (folded ?? sql`lower(${column})`);
  const wanted = caseExact ? sql`${said}::text` : sql`lower(${said}::text)`;
  switch (operator) {
    case 'ne':
      return sql`${held} is distinct from ${wanted}`;
    case 'co':
      return sql`strpos(${held}, ${wanted}) > 0`;
    case 'sw':
      return sql`starts_with(${held}, ${wanted})`;
    case 'ew':
      return sql`right(${held}, length(${wanted})) = ${wanted}`;
    default:
      return sql`${held} ${sql.raw(signs[operator])} ${wanted}`;
  }
}

function nullSql(column: SQL, operator: Operator): SQL {
  if (operator === 'eq') return sql`${column} is null`;
  if (operator === 'ne') return sql`${column} is not null`;
  throw badFilter('Something is equal to null or not.');
}

function booleanSql(column: SQL, operator: Operator, value: FilterValue): SQL {
  const word = String(value).toLowerCase();
  if (word !== 'true' && word !== 'false') throw badFilter('This attribute is true or false.');
  if (operator !== 'eq' && operator !== 'ne')
    throw badFilter('It is equal to true or false, or not.');
  const wanted = (word === 'true') === (operator === 'eq');
  return sql`coalesce(${column}, false) = ${wanted}`;
}

const firstYear = Date.parse('0001-01-01T00:00:00Z');
const afterLastYear = Date.parse('+010000-01-01T00:00:00Z');

function timeSql(column: SQL, operator: Operator, value: FilterValue): SQL {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Other years have six digits, which PostgreSQL does not read.
  if (Number.isNaN(time) || time < firstYear || time >= afterLastYear)
    throw badFilter('This attribute is a time, such as "2026-11-21T10:00:00Z".');
  const wanted = sql`${new Date(time).toISOString()}::timestamptz`;
  if (operator === 'ne') return sql`${column} <> ${wanted}`;
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    throw badFilter('Times are compared, not searched.');
  }
  return sql`${column} ${sql.raw(signs[operator])} ${wanted}`;
}

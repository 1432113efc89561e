import { badFilter } from '#domain/scim/error.ts';
import type { Attribute, AttributePath, Found, ResourceType } from '#domain/scim/schema.ts';
import { findAttribute, named } from '#domain/scim/schema.ts';
import { type SQL, sql } from '#server/platform/drizzle.ts';

/** The database location of an attribute. */
export type Place =
  /** `folded` is an indexed column with the value in lower case. */
  | { kind: 'text'; at: SQL; caseExact: boolean; folded?: SQL }
  | { kind: 'id' | 'boolean' | 'time'; at: SQL }
  | ValuesPlace;

/** A multi-valued attribute. A condition holds if it holds for one of the values. */
export interface ValuesPlace {
  kind: 'values';
  some: (condition: SQL) => SQL;
  /** A sub-attribute of one value; `value` by default. */
  part: (name: string) => Place;
  /** The value by which lists are sorted. */
  first: SQL;
}

export type PlaceOf = (found: Found, path: AttributePath) => Place;

/** @throws ScimError 400 invalidFilter for an unknown attribute */
export function placeOf(type: ResourceType, places: PlaceOf, path: AttributePath): Place {
  const found = findAttribute(type, path);
  if (!found) throw badFilter(`“${path.name}” is no attribute of a ${type.name}.`);
  return places(found, path);
}

/** Safe to inline: names come from the server's schemas, never from a request. */
const quoted = (name: string) => sql.raw(`'${name.replaceAll("'", "''")}'`);
const textAt = (holder: SQL, { name, type, caseExact }: Attribute): Place =>
  type === 'boolean'
    ? { kind: 'boolean', at: sql`(${holder} ->> ${quoted(name)} = 'true')` }
    : { kind: 'text', at: sql`(${holder} ->> ${quoted(name)})`, caseExact };

function partOf(attribute: Attribute, holder: SQL, name: string): Place {
  const sub = named(attribute.subAttributes, name);
  if (!sub) throw badFilter(`${attribute.name} has no ${name}.`);
  return textAt(holder, sub);
}

function valuesIn(holder: SQL, attribute: Attribute): ValuesPlace {
  const list = sql`${holder} -> ${quoted(attribute.name)}`;
  const first = attribute.subAttributes?.[0]?.name ?? 'value';
  return {
    kind: 'values',
    some: (condition) =>
      sql`exists (select 1 from jsonb_array_elements(coalesce(${list}, '[]'::jsonb)) as e (item) where ${condition})`,
    part: (name) => partOf(attribute, sql`e.item`, name),
    first: sql`lower(${list} -> 0 ->> ${quoted(first)})`,
  };
}

/** Returns the location of a resource's members or groups, by their IDs. */
const idsIn = (attribute: Attribute, from: SQL, id: SQL): ValuesPlace => ({
  kind: 'values',
  some: (condition) =>
    sql`exists (select 1 from scim_group_members m where ${from} and ${condition})`,
  part: (name) => {
    if (name.toLowerCase() === 'value') return { kind: 'id', at: id };
    throw badFilter(`${attribute.name} can be asked for by value alone.`);
  },
  first: sql`null`,
});

const meta = (table: string, { sub }: Found): Place => {
  if (sub?.type !== 'dateTime')
    throw badFilter('Of meta, created and lastModified can be asked for.');
  const column = sub.name === 'created' ? 'created_at' : 'updated_at';
  return { kind: 'time', at: sql.raw(`date_trunc('milliseconds', ${table}.${column})`) };
};

export const userPlaces: PlaceOf = (found) => {
  const { attribute, sub, extension } = found;
  const holder = extension
    ? sql`(s.attributes -> ${quoted(extension.id)})`
    : sql.raw('s.attributes');
  switch (attribute.name) {
    case 'id':
      return { kind: 'id', at: sql.raw('s.account_id') };
    case 'userName':
      return {
        kind: 'text',
        at: sql.raw('s.user_name'),
        caseExact: false,
        folded: sql.raw('s.user_name_key'),
      };
    case 'externalId':
      return { kind: 'text', at: sql.raw('s.external_id'), caseExact: true };
    case 'active':
      return { kind: 'boolean', at: sql.raw('(s.deactivated_at is null)') };
    case 'meta':
      return meta('s', found);
    case 'groups':
      return idsIn(
        attribute,
        sql.raw('m.org_id = s.org_id and m.account_id = s.account_id'),
        sql.raw('m.group_id'),
      );
  }
  if (attribute.multiValued) return valuesIn(holder, attribute);
  if (attribute.type !== 'complex') return textAt(holder, attribute);
  if (!sub) throw badFilter(`${attribute.name} has parts: name one of them.`);
  return textAt(sql`(${holder} -> ${quoted(attribute.name)})`, sub);
};

export const groupPlaces: PlaceOf = (found) => {
  const { attribute } = found;
  switch (attribute.name) {
    case 'id':
      return { kind: 'id', at: sql.raw('s.id') };
    case 'displayName':
      return {
        kind: 'text',
        at: sql.raw('s.display_name'),
        caseExact: false,
        folded: sql.raw('s.display_name_key'),
      };
    case 'externalId':
      return { kind: 'text', at: sql.raw('s.external_id'), caseExact: true };
    case 'meta':
      return meta('s', found);
    default:
      return idsIn(
        attribute,
        sql.raw('m.org_id = s.org_id and m.group_id = s.id'),
        sql.raw('m.account_id'),
      );
  }
};

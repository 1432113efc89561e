import { badValue } from './error.ts';
import { isObject, type JsonObject } from './json.ts';
import type { ResourceType } from './schema.ts';

/** The requested attributes of an answer (RFC 7644, 3.9), by their lower-case names. */
export interface Wanted {
  only?: readonly string[];
  without?: readonly string[];
}

/** More than both of our schemas have. Each name is looked up in each resource of an answer. */
const mostNames = 100;
const longestName = 200;

/** @throws ScimError 400 invalidValue */
export const namesIn = (text: unknown): string[] | undefined => {
  const list = Array.isArray(text) ? text : typeof text === 'string' ? text.split(',') : [];
  if (list.length > mostNames)
    throw badValue(`A request may name ${mostNames} attributes at most.`);
  const names = list.map((name) => String(name).trim().toLowerCase()).filter(Boolean);
  if (names.some(({ length }) => length > longestName)) {
    throw badValue(`The name of an attribute has ${longestName} characters at most.`);
  }
  return names.length > 0 ? names : undefined;
};

const always = new Set(['schemas', 'id']);

interface Names {
  exact: ReadonlySet<string>;
  /** The parents of the names: `name` for `name.givenname`. */
  around: ReadonlySet<string>;
}

interface Projection {
  only: Names | null;
  without: Names | null;
  extensions: ReadonlySet<string>;
}

/** Returns a function that reduces a resource to the requested attributes, or removes the excluded ones. */
export function projectTo(
  type: ResourceType,
  { only, without }: Wanted,
): (resource: JsonObject) => JsonObject {
  if (!only && !without) return (resource) => resource;
  const core = `${type.schema.id.toLowerCase()}:`;
  const projection = {
    only: only ? lookUpOf(only, core) : null,
    without: without ? lookUpOf(without, core) : null,
    extensions: new Set(type.extensions.map(({ id }) => id.toLowerCase())),
  };
  return (resource) => take(resource, '', projection);
}

function lookUpOf(names: readonly string[], core: string): Names {
  const exact = names.map((name) => (name.startsWith(core) ? name.slice(core.length) : name));
  const around = exact.flatMap((name) =>
    [...name.matchAll(/[.:]/g)].map(({ index }) => name.slice(0, index)),
  );
  return { exact: new Set(exact), around: new Set(around) };
}

function take(object: JsonObject, prefix: string, projection: Projection): JsonObject {
  const { only, without, extensions } = projection;
  const inner = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inner(each, path));
    if (!isObject(value)) return value;
    return take(value, `${path}${extensions.has(path) ? ':' : '.'}`, projection);
  };
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const path = `${prefix}${key.toLowerCase()}`;
    if (prefix === '' && always.has(path)) result[key] = value;
    else if (only) {
      if (only.exact.has(path)) result[key] = value;
      else if (only.around.has(path)) result[key] = inner(value, path);
    } else if (!without?.exact.has(path)) result[key] = inner(value, path);
  }
  return result;
}

/** Returns whether an answer needs this attribute, so that expensive ones are not read in vain. */
export const isWanted = ({ only, without }: Wanted, name: string): boolean =>
  only
    ? only.some((each) => each === name || each.startsWith(`${name}.`) || each.endsWith(`:${name}`))
    : !without?.includes(name);

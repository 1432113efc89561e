import { isObject, type JsonObject } from './json.ts';
import type { ResourceType } from './schema.ts';

/** Which attributes are to be answered (RFC 7644, 3.9), by their lower-case names. */
export interface Wanted {
  only?: readonly string[];
  without?: readonly string[];
}

export const namesIn = (text: unknown): string[] | undefined => {
  const list = Array.isArray(text) ? text : typeof text === 'string' ? text.split(',') : [];
  const names = list.map((name) => String(name).trim().toLowerCase()).filter(Boolean);
  return names.length > 0 ? names : undefined;
};

const always = new Set(['schemas', 'id']);

/** The resource with the attributes that were asked for, or without those that were not wanted. */
export function project(type: ResourceType, resource: JsonObject, wanted: Wanted): JsonObject {
  if (!wanted.only && !wanted.without) return resource;
  return take(
    resource,
    '',
    wanted,
    new Set(type.extensions.map(({ id }) => id.toLowerCase())),
    type,
  );
}

function take(
  object: JsonObject,
  prefix: string,
  wanted: Wanted,
  extensions: Set<string>,
  type: ResourceType,
): JsonObject {
  const core = `${type.schema.id.toLowerCase()}:`;
  const names = (list: readonly string[] | undefined) =>
    list?.map((name) => (name.startsWith(core) ? name.slice(core.length) : name));
  const only = names(wanted.only);
  const without = names(wanted.without);
  const inner = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inner(each, path));
    if (!isObject(value)) return value;
    const joint = extensions.has(path) ? ':' : '.';
    return take(value, `${path}${joint}`, wanted, extensions, type);
  };
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const path = `${prefix}${key.toLowerCase()}`;
    if (prefix === '' && always.has(path)) result[key] = value;
    else if (only) {
      if (only.includes(path)) result[key] = value;
      else if (only.some((name) => name.startsWith(`${path}.`) || name.startsWith(`${path}:`))) {
        result[key] = inner(value, path);
      }
    } else if (!without?.includes(path)) result[key] = inner(value, path);
  }
  return result;
}

/** Whether an answer needs this attribute at all, so that what is costly is left unread. */
export const isWanted = ({ only, without }: Wanted, name: string): boolean =>
  only
    ? only.some((each) => each === name || each.startsWith(`${name}.`) || each.endsWith(`:${name}`))
    : !without?.includes(name);

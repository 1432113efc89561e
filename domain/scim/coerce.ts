import { badValue } from './error.ts';
import { isAbsent, isObject, type JsonObject, member } from './json.ts';
import type { Attribute, ResourceType } from './schema.ts';

const longestText = 2_000;
/** For each attribute except a group's members. */
export const mostValues = 100;

/**
 * Returns the writable attributes of a body that our schemas have, under their schema names.
 * Unknown ones are dropped. "True" and "False" become booleans, because Entra ID sends them.
 * @throws ScimError 400 invalidValue
 */
export function coerceResource(type: ResourceType, body: JsonObject): JsonObject {
  const result = coerceAttributes(type.schema.attributes, body, '');
  const external = member(body, 'externalId');
  if (!isAbsent(external)) result.externalId = text(external, 'externalId');
  for (const { id, attributes } of type.extensions) {
    const given = member(body, id);
    if (isAbsent(given)) continue;
    if (!isObject(given)) throw badValue(`${id} must be an object.`);
    const inner = coerceAttributes(attributes, given, '');
    if (Object.keys(inner).length > 0) result[id] = inner;
  }
  return result;
}

function coerceAttributes(list: readonly Attribute[], given: JsonObject, prefix: string) {
  const result: JsonObject = {};
  for (const each of list) {
    if (each.mutability === 'readOnly') continue;
    const value = member(given, each.name);
    if (isAbsent(value)) continue;
    const coerced = each.multiValued
      ? coerceValues(each, value, `${prefix}${each.name}`)
      : coerceValue(each, value, `${prefix}${each.name}`);
    if (!isAbsent(coerced)) result[each.name] = coerced;
  }
  return result;
}

/**
 * A single value in place of a list becomes a list of one. Of two primary values the later one
 * stays primary.
 */
function coerceValues(each: Attribute, value: unknown, path: string): unknown[] {
  const list = Array.isArray(value) ? value : [value];
  if (each.name !== 'members' && list.length > mostValues) {
    throw badValue(`${path} may have ${mostValues} values at most.`);
  }
  const values = list
    .map((item) => coerceValue(each, item, path))
    .filter((item) => !isAbsent(item));
  const last = values.findLastIndex((item) => isObject(item) && item.primary === true);
  return values.map((item, at) =>
    isObject(item) && item.primary === true && at !== last ? { ...item, primary: false } : item,
  );
}

function coerceValue(each: Attribute, value: unknown, path: string): unknown {
  switch (each.type) {
    case 'boolean':
      return boolean(value, path);
    case 'complex': {
      // Some directories send only the bare value of a complex attribute.
      const object = isObject(value) ? value : { value };
      if (!isObject(value) && typeof value !== 'string')
        throw badValue(`${path} must be an object.`);
      const inner = coerceAttributes(each.subAttributes ?? [], object, `${path}.`);
      return Object.keys(inner).length > 0 ? inner : undefined;
    }
    default:
      return text(value, path);
  }
}

function boolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw badValue(`${path} must be true or false.`);
}

function text(value: unknown, path: string): string {
  const said = typeof value === 'number' ? String(value) : value;
  if (typeof said !== 'string') throw badValue(`${path} must be a text.`);
  if (said.length > longestText) {
    throw badValue(`${path} may have ${longestText} characters at most.`);
  }
  return said;
}

import { badPath, ScimError } from './error.ts';
import { type Filter, parseFilter, pathOf } from './filter.ts';
import { checkFilter } from './match-filter.ts';
import {
  type AttributePath,
  type Found,
  findAttribute,
  type ResourceType,
  schemaOf,
} from './schema.ts';
import { ignoredAttributes } from './user-schema.ts';

/** The target of a PATCH operation (RFC 7644, figure 7): `emails[type eq "work"].value`. */
export type Target =
  | (Found & { kind: 'attribute'; filter?: Filter })
  /** A whole extension, named by its URN alone. */
  | { kind: 'extension'; urn: string }
  /** An attribute that is deliberately not stored. */
  | { kind: 'ignored' };

const shape = /^([^[\]]+)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s;

/** @throws ScimError 400 invalidPath, or invalidFilter for the filter in brackets */
export function readTarget(type: ResourceType, text: string): Target {
  const target = findTarget(type, text);
  if (target) return target;
  throw badPath(`“${text.slice(0, 100)}” is no attribute of a ${type.name}.`);
}

/** Like `readTarget`, but returns undefined for an attribute that our schemas lack. */
export function findTarget(type: ResourceType, text: string): Target | undefined {
  const extension = type.extensions.find(({ id }) => id.toLowerCase() === text.toLowerCase());
  if (extension) return { kind: 'extension', urn: extension.id };
  const [, attributeText = '', filterText, subText] = shape.exec(text.trim()) ?? [];
  const path = readPath(attributeText);
  if (!path) return undefined;
  if (ignoredAttributes.has(path.name.toLowerCase())) return { kind: 'ignored' };
  const found = findAttribute(type, subText === undefined ? path : { ...path, sub: subText });
  if (!found) return undefined;
  if (filterText === undefined) return { kind: 'attribute', ...found };
  if (!found.attribute.multiValued || path.sub !== undefined) {
    throw badPath(`${path.name} has a single value, so that there is nothing to choose from.`);
  }
  const filter = parseFilter(filterText);
  checkFilter(filter, found.attribute);
  return { kind: 'attribute', ...found, filter };

  function readPath(written: string): AttributePath | undefined {
    try {
      const read = pathOf(written);
      const isKnown = read.schema === undefined || schemaOf(type, read.schema) !== undefined;
      return isKnown ? read : undefined;
    } catch (error) {
      if (error instanceof ScimError) return undefined;
      throw error;
    }
  }
}

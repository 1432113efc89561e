import { badFilter } from './error.ts';
import type { Filter, FilterValue, Operator } from './filter.ts';
import { isAbsent, isObject, type JsonObject, member } from './json.ts';
import { type Attribute, named } from './schema.ts';

/** @throws ScimError 400 invalidFilter where a filter names a part that the attribute lacks */
export function checkFilter(filter: Filter, attribute: Attribute): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.parts) checkFilter(part, attribute);
      return;
    case 'not':
      checkFilter(filter.part, attribute);
      return;
    case 'some':
      throw badFilter('A filter cannot hold another in brackets.');
    default:
      if (named(attribute.subAttributes, filter.path.name)) return;
      throw badFilter(`${attribute.name} has no ${filter.path.name}.`);
  }
}

/**
 * Returns whether one value of a multi-valued attribute matches a path's filter, which was checked
 * before.
 */
export function matches(filter: Filter, value: unknown, attribute: Attribute): boolean {
  const holder: JsonObject = isObject(value) ? value : { value };
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, value, attribute));
    case 'or':
      return filter.parts.some((part) => matches(part, value, attribute));
    case 'not':
      return !matches(filter.part, value, attribute);
    case 'some':
      return false;
    case 'present':
      return !isAbsent(member(holder, filter.path.name));
    case 'compare': {
      const sub = named(attribute.subAttributes, filter.path.name);
      if (!sub) return false;
      return compares(member(holder, sub.name), filter.operator, filter.value, sub.caseExact);
    }
  }
}

function compares(given: unknown, operator: Operator, wanted: FilterValue, caseExact: boolean) {
  if (typeof given === 'boolean' || typeof wanted === 'boolean') {
    const isSame = String(given ?? false).toLowerCase() === String(wanted).toLowerCase();
    if (operator === 'eq') return isSame;
    if (operator === 'ne') return !isSame;
    throw badFilter('True and false are only equal or not.');
  }
  if (wanted === null) return isAbsent(given) === (operator === 'eq');
  const fold = (value: unknown) => (caseExact ? String(value) : String(value).toLowerCase());
  if (isAbsent(given)) return operator === 'ne';
  const [a, b] = [fold(given), fold(wanted)];
  switch (operator) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'co':
      return a.includes(b);
    case 'sw':
      return a.startsWith(b);
    case 'ew':
      return a.endsWith(b);
    case 'gt':
      return a > b;
    case 'ge':
      return a >= b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
  }
}

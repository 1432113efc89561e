import { mostValues } from './coerce.ts';
import { badValue, ScimError } from './error.ts';
import type { Filter } from './filter.ts';
import { isAbsent, isObject, type JsonObject, sameJson } from './json.ts';
import { matches } from './match-filter.ts';
import { findTarget, readTarget, type Target } from './patch-path.ts';
import type { Operation } from './patch-request.ts';
import type { Attribute, Found, ResourceType } from './schema.ts';

type AttributeTarget = Extract<Target, { kind: 'attribute' }>;

/**
 * Returns a resource after the operations of a PATCH (RFC 7644, 3.5.2). If one operation is
 * refused, none is applied. The result still has to be coerced.
 * @throws ScimError 400
 */
export function patched(
  type: ResourceType,
  before: JsonObject,
  operations: Operation[],
): JsonObject {
  const resource: JsonObject = JSON.parse(JSON.stringify(before));
  for (const { op, path, value } of operations) {
    if (path === undefined) applyObject(type, resource, op, value);
    else applyAt(resource, readTarget(type, path), op, value);
  }
  return resource;
}

/**
 * Without a path the value is an object. Each name in it may be a whole path, because Entra ID
 * sends `"name.givenName"`. Unknown and read-only attributes are ignored: Okta sends a group's id
 * along with its new name.
 */
function applyObject(
  type: ResourceType,
  resource: JsonObject,
  op: Operation['op'],
  value: unknown,
) {
  if (!isObject(value)) throw badValue('Without a path the value must be an object.');
  for (const [name, each] of Object.entries(value)) {
    const target = findTarget(type, name);
    if (!target || (target.kind === 'attribute' && isReadOnly(target))) continue;
    applyAt(resource, target, op, each);
  }
}

const isReadOnly = ({ attribute, sub }: Found) => (sub ?? attribute).mutability === 'readOnly';

function applyAt(resource: JsonObject, target: Target, op: Operation['op'], value: unknown): void {
  if (target.kind === 'ignored') return;
  if (target.kind === 'extension') {
    const holder = op === 'add' ? objectAt(resource, target.urn) : {};
    if (op !== 'remove' && !isObject(value)) throw badValue('An extension must be an object.');
    resource[target.urn] = op === 'remove' ? undefined : Object.assign(holder, value);
    return;
  }
  if (isReadOnly(target)) {
    throw new ScimError(400, `${target.attribute.name} cannot be changed.`, 'mutability');
  }
  const holder = target.extension ? objectAt(resource, target.extension.id) : resource;
  if (target.attribute.multiValued) applyToValues(holder, target, op, value);
  else if (target.sub) applyToPart(objectAt(holder, target.attribute.name), target.sub, op, value);
  else applyToSingle(holder, target.attribute, op, value);
}

function objectAt(holder: JsonObject, name: string): JsonObject {
  const found = holder[name];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  holder[name] = made;
  return made;
}

function applyToPart(holder: JsonObject, part: Attribute, op: Operation['op'], value: unknown) {
  holder[part.name] = op === 'remove' ? undefined : value;
}

function applyToSingle(
  holder: JsonObject,
  { name, type }: Attribute,
  op: Operation['op'],
  value: unknown,
) {
  if (op === 'remove') holder[name] = undefined;
  // Parts that are not named stay (RFC 7644, 3.5.2.1 and 3.5.2.3).
  else if (type === 'complex' && isObject(value)) Object.assign(objectAt(holder, name), value);
  else holder[name] = value;
}

function applyToValues(
  holder: JsonObject,
  target: AttributeTarget,
  op: Operation['op'],
  value: unknown,
): void {
  const { attribute } = target;
  const found = holder[attribute.name];
  const values: unknown[] = Array.isArray(found) ? found : [];
  refuseMany(value, attribute);
  const next = changedValues(target, values, op, value);
  refuseMany(next, attribute);
  holder[attribute.name] = next;
}

const mostParts = 100;

/**
 * Checked before values are compared with each other, and after each operation, so that no sequence
 * of operations creates a list or value that is expensive to merge.
 */
function refuseMany(value: unknown, { name }: Attribute): void {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > mostValues) throw badValue(`${name} may have ${mostValues} values at most.`);
  if (list.some((each) => isObject(each) && Object.keys(each).length > mostParts)) {
    throw badValue(`A value of ${name} may have ${mostParts} parts at most.`);
  }
}

function changedValues(
  { attribute, sub, filter }: AttributeTarget,
  values: unknown[],
  op: Operation['op'],
  value: unknown,
): unknown[] | undefined {
  if (!filter && !sub) return changedList(values, op, value);
  const isMeant = values.map((each) => !filter || matches(filter, each, attribute));
  if (op === 'remove') {
    return sub
      ? values.map((each, at) => (isMeant[at] ? without(each, sub.name) : each))
      : values.filter((_, at) => !isMeant[at]);
  }
  const change = (each: unknown) => ({
    ...(isObject(each) ? each : {}),
    ...(sub ? { [sub.name]: value } : isObject(value) ? value : { value }),
  });
  if (isMeant.includes(true)) {
    const changed = values.map((each, at) => (isMeant[at] ? change(each) : each));
    return withOnePrimary(
      changed,
      changed.filter((_, at) => isMeant[at]),
    );
  }
  // Directories add a first work address by a path with a filter, so the value is created from the
  // filter.
  const made = change(filter ? describedBy(filter) : {});
  return withOnePrimary([...values, made], [made]);
}

/**
 * Returns a whole list after an operation: replaced, extended without duplicates, or without the
 * given values.
 */
function changedList(
  values: unknown[],
  op: Operation['op'],
  value: unknown,
): unknown[] | undefined {
  const given = isAbsent(value) ? [] : Array.isArray(value) ? value : [value];
  if (op === 'replace') return given;
  if (op === 'add') {
    const fresh = given.filter((each) => !values.some((known) => sameJson(known, each)));
    return withOnePrimary([...values, ...fresh], fresh);
  }
  if (isAbsent(value)) return undefined;
  const key = (each: unknown) => (isObject(each) ? each.value : each);
  return values.filter((known) => !given.some((each) => sameJson(key(each), key(known))));
}

/** If a new value is primary, the others no longer are (RFC 7644, 3.5.2). */
function withOnePrimary(values: unknown[], fresh: unknown[]): unknown[] {
  const isPrimary = (each: unknown) =>
    isObject(each) && String(each.primary).toLowerCase() === 'true';
  const chosen = fresh.findLast(isPrimary);
  if (!chosen) return values;
  return values.map((each) =>
    each !== chosen && isObject(each) && isPrimary(each) ? { ...each, primary: false } : each,
  );
}

const without = (value: unknown, name: string) =>
  isObject(value) ? { ...value, [name]: undefined } : value;

/**
 * Returns the value that a filter of equalities describes.
 * @throws ScimError 400 noTarget for any other
 */
function describedBy(filter: Filter): JsonObject {
  if (filter.kind === 'compare' && filter.operator === 'eq') {
    return { [filter.path.name]: filter.value };
  }
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(describedBy));
  throw new ScimError(400, 'No value is what the path asks for.', 'noTarget');
}

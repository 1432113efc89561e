import { z } from 'zod';
import type { AccountId } from '#domain/ids.ts';
import { coerceResource } from './coerce.ts';
import { badFilter, badValue } from './error.ts';
import type { Filter } from './filter.ts';
import { groupType } from './group-schema.ts';
import { isAbsent, isObject, type JsonObject, member, withoutMember } from './json.ts';
import type { MemberStep } from './member-steps.ts';
import { patched } from './patch.ts';
import { findTarget, readTarget } from './patch-path.ts';
import type { Operation } from './patch-request.ts';

export interface GroupValues {
  displayName: string;
  externalId: string | null;
}

const longestName = 250;
/** Okta replaces groups as a whole. */
const mostMembers = 10_000;

/** @throws ScimError 400 invalidValue */
export function readGroupValues(resource: JsonObject): GroupValues & { members: AccountId[] } {
  const members = member(resource, 'members');
  // Each of the other values is looked at several times, which thousands of members need not be.
  const { displayName, externalId } = coerceResource(groupType, withoutMember(resource, 'members'));
  const name = typeof displayName === 'string' ? displayName.trim() : '';
  if (name === '') throw badValue('displayName is missing.');
  if (name.length > longestName) {
    throw badValue(`displayName may have ${longestName} characters at most.`);
  }
  return {
    displayName: name,
    externalId: typeof externalId === 'string' ? externalId : null,
    members: idsOf(Array.isArray(members) ? members.filter(isMember) : members),
  };
}

/**
 * Returns the values of a group after the operations of a PATCH.
 * @throws ScimError 400
 */
export function readGroupPatch(
  before: GroupValues,
  operations: Operation[],
): GroupValues & { steps: MemberStep[] } {
  const steps: MemberStep[] = [];
  const rest: Operation[] = [];
  for (const operation of operations) {
    if (operation.path === undefined) rest.push(withoutMembers(operation, steps));
    else if (!addStep(steps, operation)) rest.push(operation);
  }
  const { members: _, ...values } = readGroupValues(patched(groupType, { ...before }, rest));
  return { ...values, steps };
}

/** Removes `members` from an operation without a path, and adds it as a step. */
function withoutMembers(operation: Operation, steps: MemberStep[]): Operation {
  if (!isObject(operation.value)) return operation;
  const others: JsonObject = {};
  for (const [name, value] of Object.entries(operation.value)) {
    const target = findTarget(groupType, name);
    const isMembers = target?.kind === 'attribute' && target.attribute.name === 'members';
    if (!isMembers) others[name] = value;
    else steps.push({ kind: operation.op, ids: idsOf(value) });
  }
  return { ...operation, value: others };
}

/** @returns false for an operation on another attribute */
function addStep(steps: MemberStep[], { op, path = '', value }: Operation): boolean {
  const target = readTarget(groupType, path);
  if (target.kind !== 'attribute' || target.attribute.name !== 'members') return false;
  if (target.filter && op !== 'remove') {
    // A member consists only of its id, and another id is another member.
    throw badValue('A member can be added or removed, not changed.');
  }
  if (target.filter) steps.push({ kind: 'remove', ids: idsIn(target.filter) });
  else if (op === 'remove' && isAbsent(value)) steps.push({ kind: 'replace', ids: [] });
  else steps.push({ kind: op, ids: idsOf(value) });
  return true;
}

/** An object that says nothing is as good as absent (RFC 7643, section 2.5). */
const isMember = (each: unknown) =>
  !isObject(each) || ['value', '$ref', 'type'].some((name) => !isAbsent(member(each, name)));

/** As `z.uuid()` has it, in a tenth of the time. */
const uuid = z.regexes.uuid();

function idsOf(value: unknown): AccountId[] {
  const list = isAbsent(value) ? [] : Array.isArray(value) ? value : [value];
  if (list.length > mostMembers) {
    throw badValue(`members may have ${mostMembers} values at most. Send the others by PATCH.`);
  }
  return list.map((each) => idOf(isObject(each) ? member(each, 'value') : each));
}

function idOf(value: unknown): AccountId {
  if (typeof value === 'string' && uuid.test(value)) return value as AccountId;
  throw badValue('A member’s value must be the id of a user.');
}

/** Returns the ids that `members[value eq "…" or value eq "…"]` selects. */
function idsIn(filter: Filter): AccountId[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsIn);
  const isId = filter.kind === 'compare' && filter.path.name.toLowerCase() === 'value';
  if (isId && filter.operator === 'eq') return [idOf(filter.value)];
  throw badFilter('Choose members by their value: members[value eq "…"].');
}

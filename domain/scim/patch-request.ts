import { badSyntax, badValue, ScimError } from './error.ts';
import { isObject, type JsonObject, member } from './json.ts';

export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

/** Bounds of one PATCH, checked before any of it is applied. */
export interface PatchBounds {
  operations: number;
  /** Operations, where one without a path counts once for each name in its value. */
  changes: number;
}

/** A directory sends a complete person in fewer than 50. */
export const userBounds: PatchBounds = { operations: 100, changes: 300 };
/** Entra ID sends one operation per member. */
export const groupBounds: PatchBounds = { operations: 1_000, changes: 2_000 };
const ops = ['add', 'replace', 'remove'] as const;

/**
 * Returns the operations of a PATCH. Their names are accepted in any case, because Entra ID writes
 * "Add".
 * @throws ScimError 400; 413 past `bounds`
 */
export function readOperations(body: JsonObject, bounds: PatchBounds): Operation[] {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(patchUrn)) {
    throw badSyntax(`A PATCH names its schema: “${patchUrn}”.`);
  }
  const given = member(body, 'Operations');
  if (!Array.isArray(given) || given.length === 0) throw badValue('Operations are missing.');
  if (given.length > bounds.operations) {
    throw new ScimError(413, `A PATCH may have ${bounds.operations} operations at most.`);
  }
  const operations = given.map(readOperation);
  const changes = operations.reduce((sum, operation) => sum + namesIn(operation).length, 0);
  if (changes > bounds.changes) {
    throw new ScimError(413, `A PATCH may change ${bounds.changes} attributes at most.`);
  }
  operations.forEach(refuseNamedTwice);
  return operations;
}

/** Returns the attributes that an operation changes: the one in its path, or each name in its value. */
const namesIn = ({ path, value }: Operation): string[] => {
  if (path !== undefined) return [path];
  return isObject(value) ? Object.keys(value) : [];
};

/** Names are case-insensitive (RFC 7643, 2.1), and neither of two equal ones has precedence. */
function refuseNamedTwice(operation: Operation): void {
  const names = namesIn(operation).map((name) => name.trim().toLowerCase());
  if (new Set(names).size < names.length) {
    throw badSyntax('A value names the same attribute twice.');
  }
}

function readOperation(given: unknown): Operation {
  if (!isObject(given)) throw badSyntax('An operation must be an object.');
  const said = member(given, 'op');
  const op = ops.find((each) => typeof said === 'string' && each === said.toLowerCase());
  if (!op) throw badSyntax('An operation’s op is add, replace or remove.');
  const path = member(given, 'path');
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw new ScimError(400, 'A path must be a text.', 'invalidPath');
  }
  const value = member(given, 'value');
  if (op === 'remove' && !path) {
    throw new ScimError(400, 'To remove something, name it by its path.', 'noTarget');
  }
  if (op !== 'remove' && value === undefined) throw badValue(`To ${op}, give a value.`);
  return { op, ...(path ? { path } : {}), ...(value === undefined ? {} : { value }) };
}

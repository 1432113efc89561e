import { badSyntax, badValue, ScimError } from './error.ts';
import { isObject, type JsonObject, member } from './json.ts';

export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

const mostOperations = 1_000;
const ops = ['add', 'replace', 'remove'] as const;

/** The operations of a PATCH. Their names are taken in any case: Entra ID writes "Add". @throws ScimError 400 */
export function readOperations(body: JsonObject): Operation[] {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(patchUrn)) {
    throw badSyntax(`A PATCH names its schema: “${patchUrn}”.`);
  }
  const given = member(body, 'Operations');
  if (!Array.isArray(given) || given.length === 0) throw badValue('Operations are missing.');
  if (given.length > mostOperations) {
    throw new ScimError(413, `A PATCH may have ${mostOperations} operations at most.`);
  }
  return given.map(readOperation);
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

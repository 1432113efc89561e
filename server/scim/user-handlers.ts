import { type AccountId, accountId } from '#domain/ids.ts';
import { coerceResource } from '#domain/scim/coerce.ts';
import { listResponse } from '#domain/scim/discovery.ts';
import { unknownResource } from '#domain/scim/error.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import { patched } from '#domain/scim/patch.ts';
import { readOperations, userBounds } from '#domain/scim/patch-request.ts';
import { projectTo } from '#domain/scim/project.ts';
import { userType } from '#domain/scim/user-schema.ts';
import { boundAttributes, readUserValues } from '#domain/scim/user-values.ts';
import { changeUser, deleteUser } from './change-user.ts';
import { createUser } from './create-user.ts';
import type { Asked, Handlers, ScimAnswer } from './directory-request.ts';
import { readListQuery, readWanted } from './list-query.ts';
import { userPlaces } from './places.ts';
import { namesVersion } from './preconditions.ts';
import { asUser, etagOf, listUsers, readUser, type UserRow } from './user-store.ts';

export const userHandlers: Handlers = {
  'GET /Users': (asked) => list(asked, asked.query),
  'POST /Users/.search': (asked) => list(asked, asked.body()),

  'POST /Users': async (asked) => {
    const given = readUserValues(coerceResource(userType, asked.body()));
    boundAttributes(given.attributes);
    const row = await createUser(asked.tenant, given, asked);
    const { headers, body } = shown(asked, row);
    return {
      status: 201,
      body,
      headers: { ...headers, location: `${asked.base}/Users/${row.id}` },
    };
  },

  'GET /Users/:id': async (asked) => {
    const id = idOf(asked);
    const row = await asked.tenant.connection((at) => readUser(at, id));
    const known = asked.header('if-none-match');
    if (known !== undefined && namesVersion(known, row)) {
      return { status: 304, headers: { etag: etagOf(row) } };
    }
    return shown(asked, row);
  },

  'PUT /Users/:id': (asked) => {
    const body = asked.body();
    // A body without `active` neither activates nor deactivates the user.
    return change(asked, ({ active }) => ({ active, ...body }));
  },

  'PATCH /Users/:id': (asked) => {
    const operations = readOperations(asked.body(), userBounds);
    return change(asked, (stored) => patched(userType, stored, operations));
  },

  'DELETE /Users/:id': async (asked) => {
    await deleteUser(asked.tenant, idOf(asked), asked.header('if-match'));
    return { status: 204 };
  },
};

async function list({ tenant, base, made }: Asked, given: JsonObject): Promise<ScimAnswer> {
  const query = readListQuery(userType, userPlaces, given);
  const { rows, total, bytes } = await listUsers(tenant, query);
  made(bytes);
  const projected = projectTo(userType, query.wanted);
  const resources = rows.map((row) => projected(asUser(row, base)));
  return { status: 200, body: listResponse(resources, total, query.startIndex) };
}

async function change(asked: Asked, next: (stored: JsonObject) => JsonObject): Promise<ScimAnswer> {
  const ifMatch = asked.header('if-match');
  return shown(asked, await changeUser(asked, idOf(asked), ifMatch, next));
}

function shown({ base, query }: Asked, row: UserRow) {
  const body = projectTo(userType, readWanted(query))(asUser(row, base));
  return { status: 200 as const, body, headers: { etag: etagOf(row) } };
}

/** A malformed ID gets the same answer as an unknown one. @throws ScimError 404 */
function idOf({ id }: Asked): AccountId {
  const parsed = accountId.safeParse(id);
  if (!parsed.success) throw unknownResource();
  return parsed.data;
}

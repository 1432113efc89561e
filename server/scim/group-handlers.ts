import { type ScimGroupId, scimGroupId } from '#domain/ids.ts';
import { listResponse } from '#domain/scim/discovery.ts';
import { unknownResource } from '#domain/scim/error.ts';
import { groupType } from '#domain/scim/group-schema.ts';
import { readGroupPatch, readGroupValues } from '#domain/scim/group-values.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import { groupBounds, readOperations } from '#domain/scim/patch-request.ts';
import { projectTo } from '#domain/scim/project.ts';
import { changeGroup, createGroup, deleteGroup } from './change-group.ts';
import type { Asked, Handlers, ScimAnswer } from './directory-request.ts';
import { asGroup, listGroups, readGroup } from './group-store.ts';
import { readListQuery, readWanted } from './list-query.ts';
import { groupPlaces } from './places.ts';
import { namesVersion } from './preconditions.ts';
import { etagOf } from './user-store.ts';

export const groupHandlers: Handlers = {
  'GET /Groups': (asked) => list(asked, asked.query),
  'POST /Groups/.search': (asked) => list(asked, asked.body()),

  'POST /Groups': async (asked) => {
    const id = await createGroup(asked.tenant, readGroupValues(asked.body()));
    const { headers, body } = await shown(asked, id);
    return { status: 201, body, headers: { ...headers, location: `${asked.base}/Groups/${id}` } };
  },

  'GET /Groups/:id': async (asked) => {
    const known = asked.header('if-none-match');
    const id = idOf(asked);
    if (known === undefined) return shown(asked, id);
    const row = await asked.tenant.connection((at) => readGroup(at, id, { only: ['id'] }));
    if (!namesVersion(known, row)) return shown(asked, id);
    return { status: 304, headers: { etag: etagOf(row) } };
  },

  'PUT /Groups/:id': async (asked) => {
    const { members, ...values } = readGroupValues(asked.body());
    const steps = [{ kind: 'replace' as const, ids: members }];
    const id = idOf(asked);
    await changeGroup(asked.tenant, id, asked.header('if-match'), () => ({ ...values, steps }));
    return shown(asked, id);
  },

  // A group may have thousands of members, so it is returned only if the request names attributes.
  'PATCH /Groups/:id': async (asked) => {
    const operations = readOperations(asked.body(), groupBounds);
    const id = idOf(asked);
    await changeGroup(asked.tenant, id, asked.header('if-match'), (before) =>
      readGroupPatch(before, operations),
    );
    const { only, without } = readWanted(asked.query);
    if (only || without) return shown(asked, id);
    const row = await asked.tenant.connection((at) => readGroup(at, id, { only: ['id'] }));
    return { status: 204, headers: { etag: etagOf(row) } };
  },

  'DELETE /Groups/:id': async (asked) => {
    await deleteGroup(asked.tenant, idOf(asked), asked.header('if-match'));
    return { status: 204 };
  },
};

async function list({ tenant, base }: Asked, given: JsonObject): Promise<ScimAnswer> {
  const query = readListQuery(groupType, groupPlaces, given);
  const { rows, total } = await listGroups(tenant, query);
  const projected = projectTo(groupType, query.wanted);
  const resources = rows.map((row) => projected(asGroup(row, base)));
  return { status: 200, body: listResponse(resources, total, query.startIndex) };
}

async function shown({ tenant, base, query }: Asked, id: ScimGroupId) {
  const wanted = readWanted(query);
  const row = await tenant.connection((at) => readGroup(at, id, wanted));
  const body = projectTo(groupType, wanted)(asGroup(row, base));
  return { status: 200 as const, body, headers: { etag: etagOf(row) } };
}

/** @throws ScimError 404 */
function idOf({ id }: Asked): ScimGroupId {
  const parsed = scimGroupId.safeParse(id);
  if (!parsed.success) throw unknownResource();
  return parsed.data;
}

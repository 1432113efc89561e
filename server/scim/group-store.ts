import type { AccountId, ScimGroupId } from '#domain/ids.ts';
import { unknownResource } from '#domain/scim/error.ts';
import { groupUrn } from '#domain/scim/group-schema.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import { isWanted, type Wanted } from '#domain/scim/project.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { sql } from '#server/platform/drizzle.ts';
import type { ListQuery } from './list-query.ts';
import { runList } from './run-list.ts';
import { etagOf, time } from './user-store.ts';

export interface GroupRow extends Record<string, unknown> {
  id: ScimGroupId;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
  member_count: number;
}
/** A group with its members; null if they were not requested. */
export interface FullGroup extends GroupRow {
  members: AccountId[] | null;
}

/** A page of groups with more members in total is cut short, which RFC 7644, 3.4.2.4, allows. */
const mostMembers = 2_500;

const columns = sql`s.id, s.display_name, s.external_id, s.version, ${time('s.created_at')},
  ${time('s.updated_at')}`;
const counted = sql.raw(`(select count(*)::int from scim_group_members m
  where m.org_id = s.org_id and m.group_id = s.id) as member_count`);
const uncounted = sql.raw('0 as member_count');
const membersOf: Statement = {
  name: 'scim_members_of_groups',
  text: `select group_id as "groupId", account_id as id from scim_group_members
    where org_id = $1 and group_id = any ($2::uuid[]) order by account_id`,
};

export async function listGroups(
  tenant: Tenant,
  query: ListQuery,
): Promise<{ rows: FullGroup[]; total: number }> {
  const where = sql`s.org_id = ${tenant.orgId} and ${query.where}`;
  const showsMembers = isWanted(query.wanted, 'members');
  return runList(tenant, query, async (at) => {
    const [all, page] = await Promise.all([
      at.db.execute<{ total: number }>(
        sql`select count(*)::int as total from scim_groups s where ${where}`,
      ),
      at.db.execute<GroupRow>(sql`select ${columns}, ${showsMembers ? counted : uncounted}
        from scim_groups s where ${where}
        order by ${query.orderBy} limit ${query.count} offset ${query.startIndex - 1}`),
    ]);
    const rows = await withMembers(at, bounded(page.rows), showsMembers);
    return { rows, total: all.rows[0]?.total ?? 0 };
  });
}

/** Returns the first groups whose members stay within the limit, but at least one group. */
function bounded(rows: GroupRow[]): GroupRow[] {
  let members = 0;
  const end = rows.findIndex((row, at) => {
    members += row.member_count;
    return at > 0 && members > mostMembers;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

async function withMembers(
  { run, tenant }: TenantConnection,
  rows: GroupRow[],
  isShown: boolean,
): Promise<FullGroup[]> {
  if (!isShown || rows.length === 0) return rows.map((row) => ({ ...row, members: null }));
  const values = [tenant.orgId, rows.map(({ id }) => id)];
  const people = Map.groupBy(
    await run<{ groupId: string; id: AccountId }>(membersOf, values),
    ({ groupId }) => groupId,
  );
  return rows.map((row) => ({ ...row, members: (people.get(row.id) ?? []).map(({ id }) => id) }));
}

/** @throws ScimError 404 */
export async function readGroup(
  at: TenantConnection,
  id: ScimGroupId,
  wanted: Wanted,
): Promise<FullGroup> {
  const { rows } = await at.db.execute<GroupRow>(
    sql`select ${columns}, ${uncounted} from scim_groups s
      where s.org_id = ${at.tenant.orgId} and s.id = ${id}`,
  );
  const [group] = await withMembers(at, rows, isWanted(wanted, 'members'));
  if (!group) throw unknownResource();
  return group;
}

/** @param base the base URL of the protocol */
export function asGroup(row: FullGroup, base: string): JsonObject {
  const members = row.members?.map((value) => ({
    value,
    $ref: `${base}/Users/${value}`,
    type: 'User',
  }));
  return {
    schemas: [groupUrn],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(members && members.length > 0 ? { members } : {}),
    meta: {
      resourceType: 'Group',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${base}/Groups/${row.id}`,
      version: etagOf(row),
    },
  };
}

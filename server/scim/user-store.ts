import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, ScimGroupId } from '#domain/ids.ts';
import { unknownResource } from '#domain/scim/error.ts';
import type { JsonObject } from '#domain/scim/json.ts';
import { isWanted } from '#domain/scim/project.ts';
import { enterpriseUrn, userUrn } from '#domain/scim/user-schema.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { type SQL, sql } from '#server/platform/drizzle.ts';
import type { ListQuery } from './list-query.ts';
import { runList } from './run-list.ts';

/** A user resource, as the directory sees it. */
export interface UserRow extends Record<string, unknown> {
  id: AccountId;
  user_name: string;
  external_id: string | null;
  attributes: JsonObject;
  version: number;
  active: boolean;
  created_at: string;
  updated_at: string;
  groups: ScimGroupId[];
}

export const time = (column: string) =>
  sql.raw(
    `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column.split('.')[1]}`,
  );

const columns = sql`s.account_id as id, s.user_name, s.external_id, s.attributes, s.version,
  s.deactivated_at is null as active, ${time('s.created_at')}, ${time('s.updated_at')}`;
/**
 * Groups that are listed: of one user, who may be in any number of them, and of a page of users. A page whose users have
 * more is cut short, which RFC 7644, 3.4.2.4, allows.
 */
const mostGroups = { ofUser: 1_000, ofPage: 5_000 };
const listedGroups = (org: string, account: string) => `(select m.group_id from scim_group_members m
  where m.org_id = ${org} and m.account_id = ${account} order by m.group_id limit ${mostGroups.ofUser})`;
const groups = sql.raw(
  `array(select g.group_id::text from ${listedGroups('s.org_id', 's.account_id')} g) as groups`,
);
const noGroups = sql.raw(`'{}'::text[] as groups`);
const counted = sql.raw(`(select count(*)::int from (select 1 from scim_group_members m
  where m.org_id = s.org_id and m.account_id = s.account_id limit ${mostGroups.ofUser}) g) as group_count`);
const groupsOfUsers: Statement = {
  name: 'scim_groups_of_users',
  text: `select u.id, array(select g.group_id::text from ${listedGroups('$1', 'u.id')} g) as groups
    from unnest($2::uuid[]) u (id)`,
};

/** @returns also how many bytes of attributes were read, whichever are shown */
export async function listUsers(
  tenant: Tenant,
  query: ListQuery,
): Promise<{ rows: UserRow[]; total: number; bytes: number }> {
  const where = sql`s.org_id = ${tenant.orgId} and ${query.where}`;
  const showsGroups = isWanted(query.wanted, 'groups');
  return runList(tenant, query, async (at) => {
    const [all, page] = await Promise.all([
      at.db.execute<{ total: number }>(
        sql`select count(*)::int as total from scim_users s where ${where}`,
      ),
      at.db.execute<UserRow & { group_count?: number; bytes: number }>(
        sql`select ${columns}, octet_length(s.attributes::text) as bytes, ${noGroups},
            ${showsGroups ? counted : sql.raw('0 as group_count')}
          from scim_users s where ${where}
          order by ${query.orderBy} limit ${query.count} offset ${query.startIndex - 1}`,
      ),
    ]);
    const rows = showsGroups ? await withGroups(at, bounded(page.rows)) : page.rows;
    const bytes = page.rows.reduce((sum, row) => sum + row.bytes, 0);
    return { rows, total: all.rows[0]?.total ?? 0, bytes };
  });
}

/** Returns the first users whose groups stay within the limit, but at least one user. */
function bounded<Row extends { group_count?: number }>(rows: Row[]): Row[] {
  let sum = 0;
  const end = rows.findIndex(({ group_count: count = 0 }, at) => {
    sum += count;
    return at > 0 && sum > mostGroups.ofPage;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

async function withGroups(at: TenantConnection, rows: UserRow[]): Promise<UserRow[]> {
  const values = [at.tenant.orgId, rows.map(({ id }) => id)];
  const found = await at.run<Pick<UserRow, 'id' | 'groups'>>(groupsOfUsers, values);
  const byUser = new Map(found.map(({ id, groups: listed }) => [id, listed]));
  return rows.map((row) => ({ ...row, groups: byUser.get(row.id) ?? [] }));
}

/** @throws ScimError 404 */
export async function readUser(at: TenantConnection, id: AccountId): Promise<UserRow> {
  const row = await oneUser(at, sql`s.account_id = ${id}`);
  if (!row) throw unknownResource();
  return row;
}

async function oneUser({ db, tenant }: TenantConnection, which: SQL) {
  const { rows } = await db.execute<UserRow>(
    sql`select ${columns}, ${groups} from scim_users s where s.org_id = ${tenant.orgId} and ${which}`,
  );
  return rows[0];
}

/** The data that a change needs in addition to the resource. */
export interface LockedUser extends Record<string, unknown> {
  email: string;
  /** Null if there is no membership. */
  role: Role | null;
  last_role: Role | null;
  is_account_made: boolean;
  /** Whether the user is, or ever was, an admin in this organization. */
  was_admin: boolean;
  default_role: 'AGENT' | 'VIEWER' | null;
}

/** Locks a user until the transaction ends. @throws ScimError 404 */
export async function lockUser(
  tx: TenantConnection,
  id: AccountId,
): Promise<LockedUser & { shown: UserRow }> {
  const { rows } = await tx.db.execute<LockedUser>(sql`
    select a.email, m.role, s.last_role, s.account_made_at is not null as is_account_made,
      s.admin_at is not null as was_admin, t.default_role
    from scim_users s
    join accounts a on a.id = s.account_id
    left join memberships m on m.org_id = s.org_id and m.account_id = s.account_id
    left join scim_settings t on t.org_id = s.org_id
    where s.org_id = ${tx.tenant.orgId} and s.account_id = ${id}
    for update of s`);
  const found = rows[0];
  if (!found) throw unknownResource();
  return { ...found, shown: await readUser(tx, id) };
}

/** Returns the stored resource, to which a PATCH is applied. */
export const storedUser = (row: UserRow): JsonObject => ({
  userName: row.user_name,
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  active: row.active,
  ...row.attributes,
});

export const etagOf = ({ version }: { version: number }) => `W/"${version}"`;

/** @param base the base URL of the protocol */
export function asUser(row: UserRow, base: string): JsonObject {
  const location = `${base}/Users/${row.id}`;
  const groupsOf = row.groups.map((value) => ({
    value,
    $ref: `${base}/Groups/${value}`,
    type: 'direct',
  }));
  return {
    schemas: [userUrn, ...(enterpriseUrn in row.attributes ? [enterpriseUrn] : [])],
    id: row.id,
    ...storedUser(row),
    ...(groupsOf.length > 0 ? { groups: groupsOf } : {}),
    meta: {
      resourceType: 'User',
      created: row.created_at,
      lastModified: row.updated_at,
      location,
      version: etagOf(row),
    },
  };
}

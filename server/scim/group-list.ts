import type { ScimGroupId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { ScimGroup } from '#domain/scim/contract.ts';
import type { DefaultRole } from '#domain/scim/roles.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const columns = `g.id, g.display_name as "displayName", g.role,
  (select count(*)::int from scim_group_members m
    where m.org_id = g.org_id and m.group_id = g.id) as "memberCount"`;
const pageOfGroups: Statement = {
  name: 'page_of_scim_groups',
  text: `select ${columns} from scim_groups g
    where g.org_id = $1 and ($2::uuid is null or g.id < $2) order by g.id desc limit $3`,
};
const oneGroup: Statement = {
  name: 'one_scim_group',
  text: `select ${columns} from scim_groups g where g.org_id = $1 and g.id = $2`,
};
const setDefaultRole: Statement = {
  name: 'scim_set_default_role',
  text: `insert into scim_settings (org_id, default_role, updated_by) values ($1, $2, $3)
    on conflict (org_id) do update
    set default_role = excluded.default_role, updated_by = excluded.updated_by, updated_at = now()`,
};

type Row = ScimGroup & Record<string, unknown>;

/**
 * Returns the groups for the page on which admins map them, newest first. Counting their members reads all
 * memberships of the directory.
 */
export function listScimGroups(tenant: Tenant, page: PageQuery): Promise<ScimGroup[]> {
  const { before = null, limit } = page;
  return tenant.sharedRead(['scim_groups', before, limit], ({ run }) =>
    run<Row>(pageOfGroups, [tenant.orgId, before, limit]),
  );
}

export async function findScimGroup(tenant: Tenant, id: ScimGroupId): Promise<ScimGroup | null> {
  const [found] = await tenant.sharedRead(['scim_group', id], ({ run }) =>
    run<Row>(oneGroup, [tenant.orgId, id]),
  );
  return found ?? null;
}

/** Sets the role of new members without a mapped group. Existing members keep their roles. */
export async function chooseDefaultRole(tenant: Tenant, role: DefaultRole): Promise<void> {
  await tenant.transaction(async (tx) => {
    await tx.run(setDefaultRole, [tenant.orgId, role, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'SCIM_SETTINGS_UPDATED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { defaultRole: role },
    });
  });
}

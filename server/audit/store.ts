import type { AuditEvent } from '#domain/audit/contract.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

interface AuditRow {
  id: string;
  action: string;
  entity: string;
  entity_id: string | null;
  actor_kind: AuditEvent['actor']['kind'];
  actor_id: string | null;
  name: string | null;
  metadata: Record<string, unknown> | null;
  created_at: Date;
}

const pageOfEvents: Statement = {
  name: 'page_of_audit_events',
  text: `select e.id, e.action, e.entity, e.entity_id, e.actor_kind, e.actor_id, e.metadata,
      e.created_at, nullif(trim(concat(a.first_name, ' ', a.last_name)), '') as name
    from audit_events e
    left join accounts a on e.actor_kind = 'user' and a.id::text = e.actor_id
    where e.org_id = $1 and e.id < $2
    order by e.id desc limit $3`,
};
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const nameless = { user: 'Former user', guest: 'Guest', token: 'API token', system: 'System' };

/** Newest first. */
export async function listAuditEvents(tenant: Tenant, page: PageQuery): Promise<AuditEvent[]> {
  const rows = await tenant.read(({ run }) =>
    run<AuditRow>(pageOfEvents, [tenant.orgId, page.before ?? lastId, page.limit]),
  );
  return rows.map((row) => ({
    id: row.id,
    action: row.action,
    entity: row.entity,
    entityId: row.entity_id,
    ...(row.actor_kind === 'user' && row.actor_id ? { userId: row.actor_id } : {}),
    actor: { kind: row.actor_kind, name: row.name ?? nameless[row.actor_kind] },
    createdAt: row.created_at.toISOString(),
    ...(row.metadata ? { metadata: row.metadata } : {}),
  }));
}

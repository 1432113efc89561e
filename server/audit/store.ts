import type { AuditEvent, AuditFilter } from '#domain/audit/contract.ts';
import { greatestId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Gate, Statement } from '#server/platform/database.ts';

interface AuditRow {
  id: string;
  action: string;
  entity: string;
  entity_id: string | null;
  actor_kind: AuditEvent['actor']['kind'];
  actor_id: string | null;
  name: string | null;
  address: string | null;
  metadata: Record<string, unknown> | null;
  target: AuditEvent['target'];
  created_at: Date;
}

/**
 * Shown in place of a missing name. The ID of a deleted account stays as a pseudonym, and so does the ID of a
 * person whom the organization erased.
 */
const nameless = {
  user: 'Deleted person',
  guest: 'Guest',
  token: 'API token',
  system: 'System',
};
const nameOf = `nullif(trim(concat(a.first_name, ' ', a.last_name)), '')`;

/** A person whom the organization erased has no name in what happened before. */
const isErased = (account: string) => `exists (select from erased_people p
  where p.org_id = $1 and p.account_id = ${account} and p.erased_at >= e.created_at)`;

/** Each filter alone has an index. IDs sort by time, so a date becomes a bound of the ID. */
const conditions = {
  action: (n: number) => `e.action = $${n}`,
  userId: (n: number) => `e.actor_kind = 'user' and e.actor_id = $${n}`,
  from: (n: number) => `e.id >= $${n}`,
} as const;
const filters = Object.keys(conditions) as (keyof typeof conditions)[];

/** By the kind of what was changed: its name, read by its id. */
const names: Record<string, string> = {
  account: `select coalesce((select ${nameOf} from known_people a
    where a.id = e.entity_id and not ${isErased('a.id')}), '${nameless.user}') as name`,
  room: 'select r.topic as name from rooms r where r.org_id = $1 and r.id = e.entity_id',
  playbook: 'select p.title as name from playbooks p where p.org_id = $1 and p.id = e.entity_id',
  // Without joins: PostgreSQL's plan for any organization would read all rooms.
  call: `select r.topic as name from rooms r where r.org_id = $1 and r.id = (
    select c.room_id from calls c where c.org_id = $1 and c.id = e.entity_id)`,
  guest_link: `select coalesce(g.name, (
      select r.topic from rooms r where r.org_id = $1 and r.id = g.room_id)) as name,
    g.room_id as "roomId" from guest_links g where g.org_id = $1 and g.id = e.entity_id`,
  invitation:
    'select i.email as name from invitations i where i.org_id = $1 and i.id = e.entity_id',
  organization: 'select o.name from organizations o where o.id = $1 and o.id = e.entity_id',
  sso_connection: 'select s.name from sso_connections s where s.org_id = $1 and s.id = e.entity_id',
  sso_domain:
    'select s.domain as name from sso_domains s where s.org_id = $1 and s.id = e.entity_id',
  scim_token: 'select s.name from scim_tokens s where s.org_id = $1 and s.id = e.entity_id',
  scim_group: `select s.display_name as name from scim_groups s
    where s.org_id = $1 and s.id = e.entity_id`,
  api_token: 'select t.name from api_tokens t where t.org_id = $1 and t.id = e.entity_id',
  // The host: the rest of a URL may be a secret of the receiver.
  webhook: `select substring(w.url from '^[^/]+//([^/?#]+)') as name from webhook_endpoints w
    where w.org_id = $1 and w.id = e.entity_id`,
  crm_connection: `select n.account_name as name from crm_connections n
    where n.org_id = $1 and n.id = e.entity_id`,
};
const target = `case e.entity ${Object.entries(names)
  .map(
    ([entity, select]) =>
      `when '${entity}' then (select row_to_json(named) from (${select}) named)`,
  )
  .join(' ')} end`;

/** Returns the first ID of a time (RFC 9562, version 7). */
function firstIdAt(iso: string): string {
  const hex = Math.max(0, Date.parse(iso)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns a separate statement for each set of filters, so that each gets a plan with its own index. */
function pageOfEvents(filter: AuditFilter, page: Pick<PageQuery, 'limit' | 'before'>) {
  const used = filters.filter((name) => filter[name] !== undefined);
  const upTo = filter.to === undefined ? greatestId : firstIdAt(filter.to);
  const before = page.before !== undefined && page.before < upTo ? page.before : upTo;
  const given = used.map((name) => (name === 'from' ? firstIdAt(filter.from ?? '') : filter[name]));
  const where = used.map((name, at) => ` and ${conditions[name](at + 4)}`).join('');
  const statement: Statement = {
    name: ['page_of_audit_events', ...used].join('_'),
    text: `select e.id, e.action, e.entity, e.entity_id, e.actor_kind, e.actor_id, e.metadata,
        e.address, e.created_at, ${nameOf} as name, ${target} as target
      from audit_events e
      left join known_people a on a.id = case when e.actor_kind = 'user' then e.actor_id::uuid end
        and not ${isErased('a.id')}
      where e.org_id = $1 and e.id < $2${where}
      order by e.id desc limit $3`,
  };
  return { statement, values: [before, page.limit, ...given] };
}

/**
 * Returns a page of events, newest first. One that is filtered may look at all events of a person or an action,
 * so an organization has one such read at a time.
 * @param through the queue of an export, which has turns of its own
 * @throws DomainError 429
 */
export async function listAuditEvents(
  tenant: Tenant,
  { limit, before, ...filter }: AuditFilter & PageQuery,
  through?: Gate,
): Promise<AuditEvent[]> {
  const { statement, values } = pageOfEvents(filter, { limit, before });
  const read = ({ run }: TenantConnection) => run<AuditRow>(statement, [tenant.orgId, ...values]);
  const isFiltered = filter.action !== undefined || filter.userId !== undefined;
  const rows =
    isFiltered && !through
      ? await tenant.sharedRead([statement.name, ...values], read)
      : await tenant.connection(read, { through });
  return rows.map((row) => ({
    id: row.id,
    action: row.action,
    entity: row.entity,
    entityId: row.entity_id,
    target: row.target,
    ...(row.actor_kind === 'user' && row.actor_id ? { userId: row.actor_id } : {}),
    actor: { kind: row.actor_kind, name: row.name ?? nameless[row.actor_kind] },
    address: row.address,
    createdAt: row.created_at.toISOString(),
    ...(row.metadata ? { metadata: row.metadata } : {}),
  }));
}

// Steps from one value to the next in the index, regardless of the number of rows per value.
const distinct = (column: string, where: string) => `with recursive seen as (
    select min(${column}) as value from audit_events where org_id = $1 ${where}
    union all
    select (select min(${column}) from audit_events
      where org_id = $1 and ${column} > seen.value ${where})
    from seen where seen.value is not null
  )`;
const actionsOfLog: Statement = {
  name: 'actions_of_audit_log',
  text: `${distinct('action', '')}
    select value from seen where value is not null limit 500`,
};
const peopleOfLog: Statement = {
  name: 'people_of_audit_log',
  text: `${distinct('actor_id', "and actor_kind = 'user'")}
    select seen.value as id, ${nameOf} as name
    from (select value from seen where value is not null limit 500) seen
    left join known_people a on a.id = seen.value::uuid
      and (not exists (select from erased_people p where p.org_id = $1 and p.account_id = a.id)
        or exists (select from memberships m where m.org_id = $1 and m.account_id = a.id))
    order by name nulls last, id`,
};

/** Returns the actions and people by which the log can be filtered. @throws DomainError 429 */
export function readAuditChoices(tenant: Tenant) {
  return tenant.sharedRead(['audit_choices'], async ({ run }) => {
    const [actions, people] = await Promise.all([
      run<{ value: string }>(actionsOfLog, [tenant.orgId]),
      run<{ id: string; name: string | null }>(peopleOfLog, [tenant.orgId]),
    ]);
    return {
      actions: actions.map(({ value }) => value),
      people: people.map(({ id, name }) => ({ id, name: name ?? nameless.user })),
    };
  });
}

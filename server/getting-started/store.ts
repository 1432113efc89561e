import type { GettingStarted, RecordedStep } from '#domain/getting-started/contract.ts';
import { isListShown } from '#domain/getting-started/rules.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

interface Row {
  playbook: boolean;
  room: boolean;
  devices: boolean;
  link: boolean;
  team: boolean;
  first_call_at: Date | null;
  dismissed_at: Date | null;
  joined_at: Date;
  organization_created_at: Date;
  samples_loaded_at: Date | null;
}

// Devices are a person's own. A link that anyone copied serves the whole team. The order has an index used: with
// `exists`, PostgreSQL may read the whole table, where it expects to meet a room of a large organization soon.
const firstHour: Statement = {
  name: 'first_hour',
  text: `select
      (select id from playbooks
        where org_id = $1 and sample_set_id is null order by id limit 1) is not null as playbook,
      (select id from rooms where org_id = $1 and sample_set_id is null and personal_of is null
        order by id limit 1) is not null as room,
      exists (select from first_steps
        where org_id = $1 and account_id = $2 and step = 'devices_tested') as devices,
      exists (select from first_steps where org_id = $1 and step = 'link_copied') as link,
      exists (select from memberships where org_id = $1 and account_id <> $2)
        or exists (select from invitations where org_id = $1) as team,
      -- The first calls of the oldest rooms: not all rooms and calls of a large organization.
      (select min(first.ended_at) from (
          select id from (
            select id, call_count from rooms where org_id = $1 and sample_set_id is null order by id limit 500
          ) oldest where coalesce(call_count, 1) > 0 order by id limit 20
        ) oldest cross join lateral (
          select c.ended_at from calls c
          where c.room_id = oldest.id and c.ended_at is not null order by c.id limit 1
        ) first) as first_call_at,
      (select taken_at from first_steps
        where org_id = $1 and account_id = $2 and step = 'dismissed') as dismissed_at,
      (select loaded_at from sample_sets where org_id = $1) as samples_loaded_at,
      m.created_at as joined_at, o.created_at as organization_created_at
    from organizations o join memberships m on m.org_id = o.id
    where o.id = $1 and m.account_id = $2`,
};

/** Returns which steps the organization has taken, as its member sees them. */
export async function readFirstHour(
  tenant: Tenant,
  account: AccountId,
  now: Date,
): Promise<GettingStarted> {
  const [row] = await tenant.connection(({ run }) => run<Row>(firstHour, [tenant.orgId, account]));
  if (!row) throw new Error('the person is a member of the organization');
  const { playbook, room, devices, link, team, first_call_at: firstCallAt } = row;
  const hour = {
    organizationCreatedAt: row.organization_created_at,
    joinedAt: row.joined_at,
    firstCallAt,
    dismissedAt: row.dismissed_at,
  };
  return {
    done: { playbook, room, devices, link, call: firstCallAt !== null, team },
    isShown: isListShown(hour, now),
    samplesLoadedAt: row.samples_loaded_at?.toISOString() ?? null,
  };
}

const insertStep: Statement = {
  name: 'insert_first_step',
  text: `insert into first_steps (org_id, account_id, step) values ($1, $2, $3)
    on conflict (org_id, account_id, step) do nothing`,
};

/** Records a step that leaves no other row. Repeating it changes nothing. */
export async function recordStep(
  tenant: Tenant,
  account: AccountId,
  step: RecordedStep,
): Promise<void> {
  await tenant.transaction(({ run }) => run(insertStep, [tenant.orgId, account, step]));
}

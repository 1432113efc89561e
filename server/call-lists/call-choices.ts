import type { AccountId, PlaybookId, RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const most = 200;
const newestWith = (table: string, name: string): Statement => ({
  name: `choices_of_${table}`,
  text: `select id, name from (
      (select id, ${name} as name from ${table} where org_id = $1 order by id desc limit ${most})
      union
      (select id, ${name} as name from ${table} where org_id = $1 and id = $2)
    ) found order by lower(name), id`,
});
const rooms = newestWith('rooms', 'topic');
const playbooks = newestWith('playbooks', 'title');

/** The order of the organization's own index. By `agent_id` alone, that of all organizations may be read. */
const inIndex = 'order by agent_id, day, call_id';
/** Steps from one agent to the next in the index, however many calls each started; and the members. */
const agents: Statement = {
  name: 'choices_of_agents',
  text: `with recursive starting as (
      select (select agent_id from counted_calls
        where org_id = $1 and agent_id is not null ${inIndex} limit 1) as id, 1 as n
      union all
      select (select agent_id from counted_calls
        where org_id = $1 and agent_id > starting.id ${inIndex} limit 1), n + 1
      from starting where starting.id is not null and n < ${most}
    ), found as (
      select id from starting where id is not null
      union
      (select account_id from memberships where org_id = $1 order by account_id limit ${most})
    )
    select a.id, trim(concat(a.first_name, ' ', a.last_name)) as name
    from found join known_people a on a.id = found.id
    where not exists (select from erased_people p where p.org_id = $1 and p.account_id = a.id)
      or exists (select from memberships m where m.org_id = $1 and m.account_id = a.id)
    order by lower(a.first_name), lower(a.last_name), a.id`,
};

/** Returns what calls can be filtered by, by name; people who left are among the agents. @throws DomainError 429 */
export function readCallChoices(
  tenant: Tenant,
  chosen: { roomId?: RoomId | undefined; playbookId?: PlaybookId | undefined },
) {
  const { roomId = null, playbookId = null } = chosen;
  return tenant.sharedRead(['call_choices', roomId, playbookId], async ({ run }) => ({
    rooms: await run<{ id: RoomId; name: string }>(rooms, [tenant.orgId, roomId]),
    playbooks: await run<{ id: PlaybookId; name: string }>(playbooks, [tenant.orgId, playbookId]),
    agents: await run<{ id: AccountId; name: string }>(agents, [tenant.orgId]),
  }));
}

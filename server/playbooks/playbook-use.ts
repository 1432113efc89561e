import type { PlaybookId } from '#domain/ids.ts';
import type { PlaybookUse } from '#domain/playbooks/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { readPlaybook } from './store.ts';

const roomsOfPlaybook: Statement = {
  name: 'rooms_of_playbook',
  text: `select id, topic from rooms
    where org_id = $1 and playbook_id = $2 and archived_at is null order by id desc limit 50`,
};
/** Of the newest thousand calls at most, so that many calls without a guest do not make it slow. */
const newestCalls = `select call_id from (
      select call_id, averaged from counted_calls
      where org_id = $1 and playbook_id = $2 order by day desc, call_id desc limit 1000
    ) newest
    where averaged = 1 limit 100`;
const stepsOfPlaybook: Statement = {
  name: 'steps_of_playbook',
  text: `with newest as materialized (${newestCalls})
    select (select count(*)::integer from newest) as calls,
      (select coalesce(json_agg(json_build_object('id', id, 'calls', calls, 'done', done)), '[]')
        from (
          select i.item_id as id, count(*) as calls, count(i.checked_at) as done
          from newest cross join lateral (
            select item_id, checked_at from call_checklist_items where call_id = newest.call_id limit 200
          ) i
          group by i.item_id
        ) steps) as steps`,
};

/** @throws DomainError 404, 429 */
export async function readPlaybookUse(tenant: Tenant, id: PlaybookId): Promise<PlaybookUse> {
  await tenant.connection((at) => readPlaybook(at, id));
  const values = [tenant.orgId, id];
  return tenant.sharedRead(['playbook_use', ...values], async ({ run }) => {
    const rooms = await run<PlaybookUse['rooms'][number]>(roomsOfPlaybook, values);
    const [steps] = await run<Omit<PlaybookUse, 'rooms'>>(stepsOfPlaybook, values);
    return { rooms, calls: 0, steps: [], ...steps };
  });
}

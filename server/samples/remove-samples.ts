import { recordEvent } from '#server/audit/record-event.ts';
import { underLegalHold } from '#server/consent/discard-captured.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Calls that one transaction deletes. */
const callsAtOnce = 50;

const deleteCalls: Statement = {
  name: 'delete_sample_calls',
  text: `delete from calls where org_id = $1 and id in (
      select c.id from rooms r join calls c on c.room_id = r.id
      where r.org_id = $1 and r.sample_set_id is not null limit $2)
    returning 1`,
};
const heldCalls: Statement = {
  name: 'held_sample_calls',
  text: `select from rooms r join calls c on c.room_id = r.id
    join legal_holds h on h.org_id = c.org_id and h.call_id = c.id
    where r.org_id = $1 and r.sample_set_id is not null limit 1`,
};
const deleteRooms: Statement = {
  name: 'delete_sample_rooms',
  text: 'delete from rooms where org_id = $1 and sample_set_id is not null returning 1',
};
const deletePlaybooks: Statement = {
  name: 'delete_sample_playbooks',
  text: 'delete from playbooks where org_id = $1 and sample_set_id is not null returning 1',
};
const deleteSet: Statement = {
  name: 'delete_sample_set',
  text: 'delete from sample_sets where org_id = $1 returning 1',
};

/**
 * Removes the organization's sample data. Calls are deleted in batches, and what is done stays done if a later one
 * fails. Without samples, nothing changes.
 * @throws DomainError 409 while one of its calls is under legal hold
 */
export async function removeSamples(tenant: Tenant): Promise<void> {
  const values = [tenant.orgId];
  await tenant.transaction(async (tx) => {
    if ((await tx.run(heldCalls, values)).length > 0) throw underLegalHold();
  });
  const countOf = async (tx: TenantConnection, statement: Statement, more: unknown[] = []) =>
    (await tx.run(statement, [...values, ...more])).length;
  let deleted: number;
  do {
    deleted = await tenant.transaction((tx) => countOf(tx, deleteCalls, [callsAtOnce]));
  } while (deleted === callsAtOnce);
  await tenant.transaction(async (tx) => {
    const rooms = await countOf(tx, deleteRooms);
    const playbooks = await countOf(tx, deletePlaybooks);
    if ((await countOf(tx, deleteSet)) === 0) return;
    await recordEvent(tx, {
      action: 'SAMPLES_REMOVED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { rooms, playbooks },
    });
  });
}

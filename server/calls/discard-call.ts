import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { endCall } from './end-call.ts';

const lockOpened: Statement = {
  name: 'lock_opened_call',
  text: `select 1 from calls where org_id = $1 and id = $2 and ended_at is null and opened_at is not null
    for update`,
};
// After the lock, so that it sees what others have stored until then.
const removeUnused: Statement = {
  name: 'remove_unused_call',
  text: `delete from calls c where org_id = $1 and id = $2
      and c.notes_snapshot is null
      and not exists (select 1 from attendances t where t.call_id = c.id)
      and not exists (select 1 from ratings g where g.call_id = c.id)
      and not exists (select 1 from legal_holds h where h.call_id = c.id)
      and not exists (select 1 from call_checklist_items i
        where i.call_id = c.id and i.checked_at is not null)
    returning id`,
};

/**
 * Removes a running call that a page opened, that no one joined, and in which nothing was written, ticked, or
 * rated.
 * @returns whether it is removed
 */
export async function discardUnusedCall(tx: TenantConnection, id: CallId): Promise<boolean> {
  const values = [tx.tenant.orgId, id];
  if ((await tx.run(lockOpened, values)).length === 0) return false;
  if ((await tx.run(removeUnused, values)).length === 0) return false;
  await recordEvent(tx, { action: 'CALL_DISCARDED', entity: 'call', entityId: id });
  return true;
}

const lockAttended: Statement = {
  name: 'lock_attended_call',
  text: `select 1 from calls c where org_id = $1 and id = $2 and ended_at is null
      and exists (select 1 from attendances t where t.org_id = c.org_id and t.call_id = c.id)
    for no key update`,
};
/**
 * Ends a call that its last participant has left. Open attendances do not matter: those of people who have just left
 * may end a moment later.
 * @param isEmpty whether no page is in the room; asked once the call is locked, so that a person who joins
 *   meanwhile is seen, or finds that the call has ended
 * @returns its end; null if no one has attended it, or someone is in the room
 */
export async function endLeftCall(
  tx: TenantConnection,
  id: CallId,
  isEmpty: () => Promise<boolean>,
): Promise<Date | null> {
  if ((await tx.run(lockAttended, [tx.tenant.orgId, id])).length === 0) return null;
  if (!(await isEmpty())) return null;
  return (await endCall(tx, id, { forEveryone: true })).callEndedAt;
}

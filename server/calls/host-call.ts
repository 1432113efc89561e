import type { CallId, ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const lock: Statement = {
  name: 'lock_call',
  text: `update calls
    set locked_at = case when $3 then now() end, locked_by = case when $3 then $4::uuid end
    where org_id = $1 and id = $2 and ended_at is null and (locked_at is not null) <> $3
    returning id`,
};
const remember: Statement = {
  name: 'remember_removal',
  text: `insert into call_removals (org_id, call_id, participant_id, removed_by)
    values ($1, $2, $3, $4) on conflict do nothing`,
};

/**
 * Locks a running call for newcomers, or unlocks it.
 * @returns whether that changed anything
 */
export function lockCall(tenant: Tenant, call: CallId, locked: boolean): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    const changed = await tx.run(lock, [tenant.orgId, call, locked, actingAccount(tenant)]);
    if (changed.length === 0) return false;
    await recordEvent(tx, {
      action: locked ? 'CALL_LOCKED' : 'CALL_UNLOCKED',
      entity: 'call',
      entityId: call,
    });
    return true;
  });
}

/** Keeps a guest from returning to a call. The caller has verified that it is a guest of this call. */
export function removeGuest(tenant: Tenant, call: CallId, guest: ParticipantId): Promise<void> {
  return tenant.transaction(async (tx) => {
    await tx.run(remember, [tenant.orgId, call, guest, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'GUEST_REMOVED',
      entity: 'call',
      entityId: call,
      metadata: { participantId: guest },
    });
  });
}

import { notFound } from '#domain/errors.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import {
  discardCaptured,
  discardRecording,
  requireNotHeld,
} from '#server/consent/discard-captured.ts';
import { participantsOf } from '#server/consent/same-person.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/**
 * Deletes a call's recording and transcript. Without any, nothing changes.
 * @throws DomainError 404, 409 under legal hold
 */
export function deleteRecording(tenant: Tenant, call: CallId): Promise<void> {
  return tenant.transaction(async (tx) => {
    await requireNotHeld(tx, call);
    if (!(await discardRecording(tx, call, actingAccount(tenant)))) return;
    await recordEvent(tx, { action: 'RECORDING_DELETED', entity: 'call', entityId: call });
  });
}

const isLast: Statement = {
  name: 'note_last_recording_removed',
  text: `insert into recording_removals (call_id, org_id, reason, removed_by)
    select $2, $1, 'deleted', $3
    where not exists (select from recorded_tracks where org_id = $1 and call_id = $2)
    on conflict (call_id) do nothing`,
};

/**
 * Deletes what was recorded and transcribed of one person. Without any, nothing changes.
 * @throws DomainError 404, 409 under legal hold
 */
export function removeFromRecording(
  tenant: Tenant,
  call: CallId,
  participantId: ParticipantId,
): Promise<void> {
  return tenant.transaction(async (tx) => {
    await requireNotHeld(tx, call);
    const participants = await participantsOf(tx, call, participantId);
    if ((await discardCaptured(tx, call, participants)) === 'nothing') return;
    await tx.run(isLast, [tenant.orgId, call, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'RECORDING_PERSON_REMOVED',
      entity: 'call',
      entityId: call,
      metadata: { participantId },
    });
  });
}

const retry: Statement = {
  name: 'retry_recording',
  text: `update recorded_media m set state = 'waiting', attempts = 0, error = null, next_attempt_at = now()
    from recorded_tracks t, recorded_segments s where t.org_id = $1 and t.call_id = $2 and m.org_id = t.org_id
      and m.track_id = t.id and m.state = 'failed' and s.id = m.segment_id and s.stored_parts > 0
    returning m.id`,
};
const exists: Statement = {
  name: 'recorded_call_exists',
  text: 'select 1 from calls where org_id = $1 and id = $2',
};

/** Has the failed files of a recording joined again. Without any, nothing changes. @throws DomainError 404 */
export function retryRecording(tenant: Tenant, call: CallId): Promise<void> {
  return tenant.transaction(async (tx) => {
    if ((await tx.run(exists, [tenant.orgId, call])).length === 0) throw notFound();
    const retried = await tx.run(retry, [tenant.orgId, call]);
    if (retried.length === 0) return;
    await recordEvent(tx, {
      action: 'RECORDING_RETRIED',
      entity: 'call',
      entityId: call,
      metadata: { files: retried.length },
    });
  });
}

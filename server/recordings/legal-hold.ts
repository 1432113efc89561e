import { notFound } from '#domain/errors.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { discardCaptured, lockedIsHeld } from '#server/consent/discard-captured.ts';
import { requireNotBegun } from '#server/organizations/schedule-deletion.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const place: Statement = {
  name: 'place_legal_hold',
  text: `insert into legal_holds (org_id, call_id, reason, placed_by) values ($1, $2, $3, $4)
    on conflict (call_id) do update set reason = excluded.reason`,
};

/**
 * Keeps a call's data until the hold is lifted. A second one changes the reason.
 * @throws DomainError 404, 409 if the deletion of the organization has begun
 */
export function placeLegalHold(tenant: Tenant, call: CallId, reason: string): Promise<void> {
  return tenant.transaction(async (tx) => {
    // First: the deletion locks its row before the calls.
    await requireNotBegun(tx);
    if ((await lockedIsHeld(tx, call)) === null) throw notFound();
    await tx.run(place, [tenant.orgId, call, reason, actingAccount(tenant)]);
    await recordEvent(tx, { action: 'LEGAL_HOLD_PLACED', entity: 'call', entityId: call });
  });
}

const lift: Statement = {
  name: 'lift_legal_hold',
  text: 'delete from legal_holds where org_id = $1 and call_id = $2',
};
const takeHeld: Statement = {
  name: 'take_held_removals',
  text: `delete from held_removals where org_id = $1 and call_id = $2
    returning participant_id as "participantId"`,
};

/**
 * Lifts a hold, and deletes what it kept of people who asked for that. Without a hold, nothing changes.
 * @throws DomainError 404
 */
export function liftLegalHold(tenant: Tenant, call: CallId): Promise<void> {
  return tenant.transaction(async (tx) => {
    const isHeld = await lockedIsHeld(tx, call);
    if (isHeld === null) throw notFound();
    if (!isHeld) return;
    await tx.run(lift, [tenant.orgId, call]);
    const people = await tx.run<{ participantId: ParticipantId }>(takeHeld, [tenant.orgId, call]);
    const ids = people.map(({ participantId }) => participantId);
    if (ids.length > 0) await discardCaptured(tx, call, ids);
    await recordEvent(tx, {
      action: 'LEGAL_HOLD_LIFTED',
      entity: 'call',
      entityId: call,
      metadata: { removedPeople: ids.length },
    });
  });
}

const lockCalls: Statement = {
  name: 'lock_calls_against_holds',
  text: 'select from calls where org_id = $1 and id = any ($2) order by id for no key update',
};
const held: Statement = {
  name: 'calls_under_hold',
  text: 'select call_id as "callId" from legal_holds where org_id = $1 and call_id = any ($2)',
};

/** Returns those of the calls whose data may be deleted. A hold waits until the transaction has ended. */
export async function withoutHeld(
  tx: Parameters<typeof lockedIsHeld>[0],
  calls: readonly CallId[],
): Promise<CallId[]> {
  await tx.run(lockCalls, [tx.tenant.orgId, calls]);
  const rows = await tx.run<{ callId: CallId }>(held, [tx.tenant.orgId, calls]);
  const kept = new Set(rows.map(({ callId }) => callId));
  return calls.filter((id) => !kept.has(id));
}

const anyHeld: Statement = {
  name: 'any_legal_hold',
  text: 'select 1 from legal_holds where org_id = $1 limit 1',
};
export const hasLegalHold = async ({ run, tenant }: Parameters<typeof lockedIsHeld>[0]) =>
  (await run(anyHeld, [tenant.orgId])).length > 0;

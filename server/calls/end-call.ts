import { endOfCall, timesOfDesertedCall } from '#domain/calls/call-times.ts';
import { callDurationSec } from '#domain/calls/rules.ts';
import { notFound } from '#domain/errors.ts';
import type { AccountId, CallId, RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { stopCaptures } from '#server/consent/captures.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { closeMediaRooms } from './media-rooms.ts';
import { attendances, calls } from './tables.ts';

export interface CallEnd {
  /** The client's time, used only for a call without attendance. */
  claimedEnd?: Date | undefined;
  /** When a client was last seen, for a call that the server ends. */
  desertedSince?: Date;
  forEveryone: boolean;
}

/**
 * The result of ending: the call itself ended, one person's attendance ended, or nothing was left
 * to end.
 */
export interface Ended {
  roomId: RoomId;
  callEndedAt: Date | null;
  /** The member who left while the call continues. */
  leaver: AccountId | null;
}

/** Staff who may run a call, are in this one, and were seen in the last minute. */
const otherStaff: Statement = {
  name: 'other_staff_in_call',
  text: `select 1 from attendances t
    join memberships m on m.org_id = t.org_id and m.account_id = t.account_id
    where t.org_id = $1 and t.call_id = $2 and t.kind = 'staff' and t.left_at is null
      and t.account_id is distinct from $3 and m.role <> 'VIEWER'
      and t.last_seen_at > now() - interval '60 seconds'
    limit 1`,
};

/**
 * Ends a call, or only the caller's attendance while other staff are in it
 * (docs/product-decisions.md). Ending an ended call changes nothing, whatever time is sent.
 * @throws DomainError 400 for an implausible time, 404
 */
export async function endCall(tx: TenantConnection, id: CallId, end: CallEnd): Promise<Ended> {
  const { tenant } = tx;
  const account = actingAccount(tenant);
  const [call] = await tx.db
    .select()
    .from(calls)
    .where(and(eq(calls.orgId, tenant.orgId), eq(calls.id, id)))
    .for('no key update');
  if (!call) throw notFound();
  const { roomId } = call;
  if (call.endedAt) return { roomId, callEndedAt: null, leaver: null };

  const now = new Date();
  if (!end.forEveryone) {
    const others = await tx.run(otherStaff, [tenant.orgId, id, account]);
    if (others.length > 0) {
      if (account) await endAttendances(tx, id, now, account);
      return { roomId, callEndedAt: null, leaver: account };
    }
  }
  const { startedAt, endedAt } = await timesOfEnd(tx, call, end, now);
  await tx.db
    .update(calls)
    .set({ startedAt, endedAt, durationSec: callDurationSec(startedAt, endedAt) })
    .where(and(eq(calls.orgId, tenant.orgId), eq(calls.id, id)));
  await endAttendances(tx, id, endedAt);
  await stopCaptures(tx, id, endedAt);
  await closeMediaRooms(tx, roomId);
  await recordEvent(tx, {
    action: 'CALL_ENDED',
    entity: 'call',
    entityId: id,
    metadata: { fields: ['endedAt', 'durationSec'] },
  });
  return { roomId, callEndedAt: endedAt, leaver: null };
}

const anyAttendance: Statement = {
  name: 'any_attendance_of_call',
  text: 'select 1 from attendances where org_id = $1 and call_id = $2 limit 1',
};

/** Returns the times of a call whose row is locked, so that no attendance begins meanwhile. */
async function timesOfEnd(
  tx: TenantConnection,
  call: typeof calls.$inferSelect,
  { claimedEnd, desertedSince }: CallEnd,
  now: Date,
): Promise<{ startedAt: Date; endedAt: Date }> {
  const { id, startedAt, createdAt } = call;
  const isAttended = (await tx.run(anyAttendance, [tx.tenant.orgId, id])).length > 0;
  if (desertedSince)
    return timesOfDesertedCall({ startedAt, isAttended, createdAt }, desertedSince);
  return { startedAt, endedAt: endOfCall({ startedAt, isAttended }, claimedEnd, now) };
}

async function endAttendances(
  tx: TenantConnection,
  id: CallId,
  leftAt: Date,
  account?: AccountId,
): Promise<void> {
  await tx.db
    .update(attendances)
    .set({ leftAt })
    .where(
      and(
        eq(attendances.orgId, tx.tenant.orgId),
        eq(attendances.callId, id),
        isNull(attendances.leftAt),
        account ? eq(attendances.accountId, account) : undefined,
      ),
    );
}

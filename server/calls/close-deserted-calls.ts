import type { CallId, OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import type { Services } from '#server/services.ts';
import { discardUnusedCall } from './discard-call.ts';
import { endCall } from './end-call.ts';
import { sendEverybodyOut } from './hosted-removal.ts';
import { calls } from './tables.ts';
import { tellCallEnded } from './update-call.ts';

/**
 * A call is over when no participant was seen for this long (docs/product-decisions.md, Rooms and
 * calls).
 */
export const desertedAfterSeconds = 120;
/** A participant who was not seen for this long has left. */
export const silentAfterSeconds = 60;

const desertedCalls: Statement = {
  name: 'deserted_calls',
  text: 'select org_id as "orgId", call_id as id from deserted_calls($1)',
};
const endSilentAttendances: Statement = {
  name: 'end_silent_attendances',
  text: 'select end_silent_attendances($1)',
};

/**
 * Ends calls whose participants all left without a leave message, at the time when the last was
 * seen, and removes those that were only opened. A restart resets the clock: no call counts as
 * deserted from a time when the server was down.
 * @param now the present time
 * @param upSince when this server began to listen
 * @param each how the calls are gone through
 * @returns how many calls were ended
 */
export async function closeDesertedCalls(
  services: Services,
  now: Date,
  upSince: Date,
  each = eachApart,
): Promise<number> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  if (upSince > ago(silentAfterSeconds)) return 0;
  const { database, bus, log } = services;
  await database.connection('outside', ({ run }) =>
    run(endSilentAttendances, [ago(silentAfterSeconds)]),
  );
  if (upSince > ago(desertedAfterSeconds)) return 0;
  const deserted = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId; id: CallId }>(desertedCalls, [ago(desertedAfterSeconds)]),
  );
  let closed = 0;
  const close = async ({ orgId, id }: (typeof deserted)[number]) => {
    const actor = { kind: 'system' as const, name: 'close-deserted-calls', orgId };
    const ended = await tenantOf(database, actor, null).transaction(async (tx) => {
      const [call] = await tx.db
        .select({ lastSeenAt: calls.lastSeenAt })
        .from(calls)
        .where(and(eq(calls.orgId, orgId), eq(calls.id, id)))
        // A call whose row is locked is in use. The next run checks it again.
        .for('update', { skipLocked: true });
      // A participant may have returned since the query.
      if (!call || call.lastSeenAt >= ago(desertedAfterSeconds)) return null;
      if (await discardUnusedCall(tx, id)) return null;
      return endCall(tx, id, { desertedSince: call.lastSeenAt, forEveryone: true });
    });
    if (!ended?.callEndedAt) return;
    tellCallEnded(bus, { orgId, roomId: ended.roomId }, id, ended.callEndedAt);
    sendEverybodyOut(services, { orgId, roomId: ended.roomId }, id);
    closed += 1;
  };
  await each(log, deserted, close, 'a deserted call could not be ended');
  return closed;
}

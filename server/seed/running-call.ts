import * as Y from 'yjs';
import type { User } from '#domain/auth/contract.ts';
import { type CallId, callId, participantId } from '#domain/ids.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { copyChecklist } from '#server/calls/start-call.ts';
import { attendances, callNoteUpdates, calls } from '#server/calls/tables.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

const minutesAgo = 14;
/** Often enough that the call does not count as deserted. */
const everyMs = 20_000;
const notes =
  'Kenji shows the new waiting room. The doctors’ accounts follow after single sign-on.';

const resumeCall: Statement = {
  name: 'resume_demo_call',
  text: `update calls set started_at = $3, last_seen_at = now()
    where org_id = $1 and room_id = $2 and ended_at is null returning id`,
};

/** Puts two people into a call that runs while the demo does. One that still runs begins again. */
export async function startDemoCall(
  tenant: Tenant,
  room: Pick<Room, 'id' | 'playbookId'>,
  host: User,
  guest: string,
): Promise<void> {
  const startedAt = new Date(Date.now() - minutesAgo * 60_000);
  const { orgId } = tenant;
  await tenant.transaction(async (tx) => {
    const [running] = await tx.run<{ id: CallId }>(resumeCall, [orgId, room.id, startedAt]);
    if (running) return keepSeen(tenant, running.id);
    const id = newId(callId);
    const of = { orgId, callId: id, joinedAt: startedAt, lastSeenAt: new Date() };
    await tx.db.insert(calls).values({
      ...{ id, orgId, roomId: room.id, playbookId: room.playbookId, startedBy: host.id },
      ...{ startedAt, createdAt: startedAt, lastSeenAt: new Date(), notesSnapshot: notes },
    });
    const doc = new Y.Doc();
    doc.getText('notes').insert(0, notes);
    const update = Buffer.from(Y.encodeStateAsUpdate(doc));
    await tx.db.insert(callNoteUpdates).values({ orgId, callId: id, update });
    if (room.playbookId) await tx.run(copyChecklist, [orgId, id, room.playbookId]);
    const name = `${host.firstName} ${host.lastName}`;
    await tx.db.insert(attendances).values([
      { ...of, id: newId(participantId), kind: 'staff', accountId: host.id, name },
      { ...of, id: newId(participantId), kind: 'guest', accountId: null, name: guest },
    ]);
    keepSeen(tenant, id);
  });
}

const seeCall: Statement = {
  name: 'see_demo_call',
  text: 'update calls set last_seen_at = now() where org_id = $1 and id = $2 and ended_at is null',
};
const seePeople: Statement = {
  name: 'see_demo_people',
  text: `update attendances set last_seen_at = now()
    where org_id = $1 and call_id = $2 and left_at is null`,
};

/** Nobody is connected, so this says that they are. Ends with the program. */
function keepSeen(tenant: Tenant, id: CallId): void {
  const see = () =>
    tenant
      .connection(async ({ run }) => {
        await run(seeCall, [tenant.orgId, id]);
        await run(seePeople, [tenant.orgId, id]);
      })
      // The database is closing, or busy: the next time.
      .catch(() => {});
  setInterval(() => void see(), everyMs).unref();
}

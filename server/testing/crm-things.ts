import { updateCall } from '#domain/calls/contract.ts';
import { authorizeCrm, connectCrm } from '#domain/crm/contract.ts';
import type { CrmVendor } from '#domain/crm/mapping.ts';
import { updateRoom } from '#domain/rooms/contract.ts';
import type { CrmStandIn } from './crm-stand-in.ts';
import type { TestApp } from './open-test-app.ts';
import { runningCall, type Visitor } from './visitor.ts';

/** Connects as a person does who allows the access. */
export async function connectTo(visitor: Visitor, vendor: CrmVendor, crm: CrmStandIn) {
  const { url } = await visitor.call(authorizeCrm, { params: { vendor } });
  const { code, state } = crm.allow(url);
  return visitor.call(connectCrm, { params: { vendor }, body: { code, state } });
}

/** Returns a call with a guest that has ended; its room is for `email`. */
export async function endedCall(app: TestApp, visitor: Visitor, email: string | null) {
  const { room, call } = await runningCall(visitor);
  await visitor.call(updateRoom, { params: { id: room.id }, body: { customerEmail: email } });
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
      select gen_random_uuid(), org_id, id, 'guest', 'Gus' from calls where id = $1`,
    [call.id],
  );
  const end = { endedAt: new Date().toISOString(), endForEveryone: true, npsScore: 9 };
  const body = { ...end, notesSnapshot: 'They want <b>two</b> more seats.' };
  await visitor.call(updateCall, { params: { id: call.id }, body });
  return { room, call };
}

/** Makes everything due. */
export const skipCrmWaits = async (app: TestApp) => {
  await app.owner.query(`update crm_syncs set next_try_at = now() where state = 'waiting'`);
  await app.owner.query('update crm_connections set paused_until = null');
};

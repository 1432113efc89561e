import { randomUUID } from 'node:crypto';
import type { User } from '#domain/auth/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { authorizeCrm, connectCrm } from '#domain/crm/contract.ts';
import { type CrmVendor, defaultMapping } from '#domain/crm/mapping.ts';
import { updateRoom } from '#domain/rooms/contract.ts';
import { sealToken } from '#server/crm/tokens.ts';
import type { CrmStandIn } from './crm-stand-in.ts';
import type { TestApp } from './open-test-app.ts';
import type { Things } from './requests.ts';
import { runningCall, type Visitor } from './visitor.ts';

/** Makes CRMs available that are not reached. */
export const unusedCrm = {
  HUBSPOT_CLIENT_ID: 'rapport-app',
  HUBSPOT_CLIENT_SECRET: 'a secret of no one',
  HUBSPOT_API_BASE: 'http://127.0.0.1:9',
};

/** Returns a connection of the visitor’s organization, to which the call was not sent. */
export async function crmThings(
  app: TestApp,
  { user }: { user: User },
  call: string,
): Promise<Pick<Things, 'crm-connections'>> {
  const id = randomUUID();
  const token = sealToken(app.services.secrets, id, 'a token');
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into crm_connections
        (id, org_id, vendor, account_id, account_name, api_base, access_token_sealed, refresh_token_sealed, mapping)
      values ($1, $2, 'hubspot', '1', 'ada@acme.example', 'http://127.0.0.1:9', $3, $3, $4)
      on conflict (org_id, vendor) do update set account_id = '1' returning id`,
    [id, user.orgId, token, JSON.stringify(defaultMapping)],
  );
  const connection = rows[0]?.id ?? id;
  await app.owner.query(
    `insert into crm_syncs (id, org_id, connection_id, call_id, state, reason, next_try_at)
      values (gen_random_uuid(), $1, $2, $3, 'skipped', 'no_match', now()) on conflict do nothing`,
    [user.orgId, connection, call],
  );
  return { 'crm-connections': connection };
}

/** Connects as a person does who allows the access. */
export async function connectTo(visitor: Visitor, vendor: CrmVendor, crm: CrmStandIn) {
  const { url } = await visitor.call(authorizeCrm, { body: { vendor } });
  const { code, state } = crm.allow(url);
  return visitor.call(connectCrm, { body: { vendor, code, state } });
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

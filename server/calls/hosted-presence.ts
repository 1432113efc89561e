import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { attendedStart } from './attendance-store.ts';

/** A hosted provider's event about the participants of one of our rooms. */
export type PresenceEvent = { id: string } & (
  | { kind: 'joined'; person: ParticipantId; name: string; isHost: boolean }
  | { kind: 'left'; person: ParticipantId; at: Date }
  | { kind: 'empty'; at: Date }
);

const remember: Statement = {
  name: 'remember_hosted_event',
  text: `insert into company_events (org_id, id) values ($1, $2) on conflict do nothing returning id`,
};
const forget: Statement = {
  name: 'forget_hosted_events',
  text: `delete from company_events where org_id = $1 and received_at < now() - interval '7 days'`,
};
const comeBack: Statement = {
  name: 'hosted_joined_again',
  text: `update attendances set left_at = null, last_seen_at = now()
    where org_id = $1 and call_id = $2 and id = $3 returning id`,
};
const comeIn: Statement = {
  name: 'hosted_joined',
  text: `with present as (
      insert into attendances (id, org_id, call_id, kind, name) values ($3, $1, $2, 'guest', $4)
      on conflict do nothing returning call_id
    )
    update calls set started_at = ${attendedStart('calls')}
      where id in (select call_id from present) and ended_at is null`,
};
// A participant seen since then has returned, or has our page open, and that page determines the
// end.
const goOut: Statement = {
  name: 'hosted_left',
  text: `update attendances set left_at = least($4::timestamptz, now())
    where org_id = $1 and call_id = $2 and id = $3 and left_at is null and last_seen_at <= $4`,
};
const allOut: Statement = {
  name: 'hosted_empty',
  text: `update attendances set left_at = least($3::timestamptz, now())
    where org_id = $1 and call_id = $2 and left_at is null
      and last_seen_at < $3::timestamptz - interval '60 seconds'`,
};

/**
 * Records the event in the attendance of the running call, once, however often it is received. No
 * event ends a call: a host who reloads the page leaves the provider's room empty for a moment
 * (close-deserted-calls.ts).
 * @returns false for an event received before
 */
export function notePresence(tenant: Tenant, call: CallId, event: PresenceEvent): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    await tx.run(forget, [tenant.orgId]);
    const fresh = await tx.run(remember, [tenant.orgId, event.id]);
    if (fresh.length === 0) return false;
    await apply(tx, call, event);
    return true;
  });
}

async function apply(tx: TenantConnection, call: CallId, event: PresenceEvent): Promise<void> {
  const { orgId } = tx.tenant;
  if (event.kind === 'empty') await tx.run(allOut, [orgId, call, event.at]);
  if (event.kind === 'left') await tx.run(goOut, [orgId, call, event.person, event.at]);
  if (event.kind !== 'joined') return;
  const known = await tx.run(comeBack, [orgId, call, event.person]);
  // Staff attend by the page beside the call, which identifies their account.
  if (known.length > 0 || event.isHost) return;
  await tx.run(comeIn, [orgId, call, event.person, event.name]);
}

import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Ended, endCall } from '#server/calls/end-call.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Something that others may have prepared in an organization, and the change that undoes all of it. */
export interface Prepared {
  /** In the audit event. */
  name: string;
  undo: Statement;
}

const prepared = (name: string, change: string): Prepared => ({
  name,
  undo: {
    name: `undo_${name}`,
    text: `with undone as (${change} returning 1) select count(*)::int as count from undone`,
  },
});

export const preparedSettings: readonly Prepared[] = [
  prepared('deletions', 'delete from organization_deletions where org_id = $1'),
  prepared('retentionRules', 'delete from retention_rules where org_id = $1'),
  prepared('embeddingOrigins', 'delete from embedding_origins where org_id = $1'),
  // An identity provider or a directory of another admin would bring that person back.
  prepared(
    'ssoConnections',
    `update sso_connections set enabled_at = null, enabled_by = null
      where org_id = $1 and enabled_at is not null`,
  ),
  prepared(
    'ssoRequirements',
    `update sso_policies set required_at = null, required_by = null
      where org_id = $1 and required_at is not null`,
  ),
  prepared(
    'scimTokens',
    'update scim_tokens set revoked_at = now() where org_id = $1 and revoked_at is null',
  ),
  // All rooms are updated, archived ones and those with a lobby, too: a room that others change right now is
  // waited for. An admission is older than its lobby then, and counts no more.
  {
    name: 'lobbies',
    undo: {
      name: 'undo_lobbies',
      text: `with before as (select id from rooms where org_id = $1 and lobby_at is null),
          closed as (update rooms set lobby_at = clock_timestamp() where org_id = $1 returning id)
        select count(*)::int as count from closed join before using (id)`,
    },
  },
];

const runningCalls: Statement = {
  name: 'running_calls_of_organization',
  text: `select id from calls where org_id = $1 and ended_at is null
    and created_at <= coalesce($2, 'infinity'::timestamptz)`,
};
const tellGuests: Statement = { name: 'tell_guests_of', text: 'select tell_guests_of($1)' };

/**
 * Undoes what others may have prepared in an organization before the address of its only admin was verified: a
 * scheduled deletion, retention rules, websites that may embed it, single sign-on, and provisioning. Turns the
 * lobby on in every room, and ends running calls and earlier admissions, because others may have guest links.
 * @returns whether there was anything to undo
 */
export async function undoPrepared(tx: TenantConnection): Promise<boolean> {
  const undone: Record<string, number> = {};
  for (const setting of preparedSettings) undone[setting.name] = await undo(tx, setting);
  const calls = await callsBefore(tx, null);
  for (const id of calls) await endCall(tx, id, { forEveryone: true });
  await sendGuestsOut(tx);
  return record(tx, { ...undone, calls: calls.length });
}

/** Undoes one thing, with its own audit event. */
export async function undoOne(tx: TenantConnection, setting: Prepared): Promise<void> {
  await record(tx, { [setting.name]: await undo(tx, setting) });
}

/** Ends one running call for everyone. */
export async function undoCall(tx: TenantConnection, id: CallId): Promise<Ended> {
  const ended = await endCall(tx, id, { forEveryone: true });
  await record(tx, { calls: ended.callEndedAt ? 1 : 0 });
  return ended;
}

/** Returns the running calls of the organization; with `before`, those that were created until then. */
export async function callsBefore(
  { run, tenant }: TenantConnection,
  before: Date | null,
): Promise<CallId[]> {
  const calls = await run<{ id: CallId }>(runningCalls, [tenant.orgId, before]);
  return calls.map(({ id }) => id);
}

/** Has the guests of the organization looked up at the commit. */
export async function sendGuestsOut({ run, tenant }: TenantConnection): Promise<void> {
  await run(tellGuests, [tenant.orgId]);
}

async function undo({ run, tenant }: TenantConnection, setting: Prepared): Promise<number> {
  const [undone] = await run<{ count: number }>(setting.undo, [tenant.orgId]);
  return undone?.count ?? 0;
}

/** @returns whether anything was undone */
async function record(tx: TenantConnection, undone: Record<string, number>): Promise<boolean> {
  if (!Object.values(undone).some((count) => count > 0)) return false;
  await recordEvent(tx, {
    action: 'PREPARED_SETTINGS_UNDONE',
    entity: 'organization',
    entityId: tx.tenant.orgId,
    metadata: undone,
  });
  return true;
}

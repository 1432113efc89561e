import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { endCall } from '#server/calls/end-call.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// All rooms are updated, archived ones and those with a lobby, too: a room that others change right now is
// waited for. An admission is older than its lobby then, and counts no more.
const undo: Statement = {
  name: 'undo_prepared',
  text: `with deletions as (delete from organization_deletions where org_id = $1 returning 1),
      rules as (delete from retention_rules where org_id = $1 returning 1),
      origins as (delete from embedding_origins where org_id = $1 returning 1),
      before as (select id from rooms where org_id = $1 and lobby_at is null),
      closed as (update rooms set lobby_at = clock_timestamp() where org_id = $1 returning id)
    select (select count(*) from deletions)::int as deletions,
      (select count(*) from rules)::int as "retentionRules",
      (select count(*) from origins)::int as "embeddingOrigins",
      (select count(*) from closed join before using (id))::int as "lobbies"`,
};
const runningCalls: Statement = {
  name: 'running_calls_of_organization',
  text: 'select id from calls where org_id = $1 and ended_at is null',
};
const tellGuests: Statement = { name: 'tell_guests_of', text: 'select tell_guests_of($1)' };

/**
 * Undoes what others may have prepared in an organization before the address of its only admin was verified: a
 * scheduled deletion, retention rules, and websites that may embed it. Turns the lobby on in every room, and
 * ends running calls and earlier admissions, because others may have guest links.
 * @returns whether there was anything to undo
 */
export async function undoPrepared(tx: TenantConnection): Promise<boolean> {
  const { orgId } = tx.tenant;
  const [settings = {}] = await tx.run<Record<string, number>>(undo, [orgId]);
  const calls = await tx.run<{ id: CallId }>(runningCalls, [orgId]);
  for (const { id } of calls) await endCall(tx, id, { forEveryone: true });
  await tx.run(tellGuests, [orgId]);
  const undone = { ...settings, calls: calls.length };
  if (!Object.values(undone).some((count) => count > 0)) return false;
  await recordEvent(tx, {
    action: 'PREPARED_SETTINGS_UNDONE',
    entity: 'organization',
    entityId: orgId,
    metadata: undone,
  });
  return true;
}

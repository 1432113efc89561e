import { recordEvent } from '#server/audit/record-event.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const undo: Statement = {
  name: 'undo_prepared',
  text: `with deletions as (delete from organization_deletions where org_id = $1 returning 1),
      rules as (delete from retention_rules where org_id = $1 returning 1),
      origins as (delete from embedding_origins where org_id = $1 returning 1),
      rooms_opened as (update rooms set lobby_at = now()
        where org_id = $1 and lobby_at is null and archived_at is null returning 1)
    select (select count(*) from deletions)::int as deletions,
      (select count(*) from rules)::int as "retentionRules",
      (select count(*) from origins)::int as "embeddingOrigins",
      (select count(*) from rooms_opened)::int as "lobbies"`,
};

/**
 * Undoes what others may have prepared in an organization before the address of its only admin was verified: a
 * scheduled deletion, retention rules, and websites that may embed it. Turns the lobby on in every room, because
 * others may have guest links.
 * @returns whether there was anything to undo
 */
export async function undoPrepared(tx: TenantConnection): Promise<boolean> {
  const [undone = {}] = await tx.run<Record<string, number>>(undo, [tx.tenant.orgId]);
  if (!Object.values(undone).some((count) => count > 0)) return false;
  await recordEvent(tx, {
    action: 'PREPARED_SETTINGS_UNDONE',
    entity: 'organization',
    entityId: tx.tenant.orgId,
    metadata: undone,
  });
  return true;
}

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
 * Undoes what someone who held the organization before its only admin verified the address may have prepared to
 * work later: its deletion, retention rules, websites that embed it, and rooms that guests enter without a
 * lobby by links from before.
 * @returns whether there was anything
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

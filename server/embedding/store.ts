import { mostOrigins } from '#domain/embedding/origin.ts';
import type { OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import {
  actingAccount,
  type Tenant,
  type TenantConnection,
  tenantOf,
} from '#server/platform/access.ts';
import { and, asc, eq, inArray } from '#server/platform/drizzle.ts';
import { readGuestToken } from '#server/rooms/guest-link.ts';
import type { Services } from '#server/services.ts';
import { readEmbedToken } from './embed-token.ts';
import { embeddingOrigins } from './tables.ts';

async function listedOrigins({ db, tenant }: TenantConnection): Promise<string[]> {
  const found = await db
    .select({ origin: embeddingOrigins.origin })
    .from(embeddingOrigins)
    .where(eq(embeddingOrigins.orgId, tenant.orgId))
    .orderBy(asc(embeddingOrigins.origin))
    .limit(mostOrigins);
  return found.map(({ origin }) => origin);
}

export const listOrigins = (tenant: Tenant): Promise<string[]> => tenant.connection(listedOrigins);

/** Replaces the list. The audit event names the added and the removed origins. */
export function replaceOrigins(tenant: Tenant, origins: string[]): Promise<string[]> {
  return tenant.transaction(async (tx) => {
    const { id: orgId } = await lockOrganization(tx);
    const before = await listedOrigins(tx);
    const added = origins.filter((origin) => !before.includes(origin));
    const removed = before.filter((origin) => !origins.includes(origin));
    if (added.length === 0 && removed.length === 0) return before;
    if (removed.length > 0) {
      await tx.db
        .delete(embeddingOrigins)
        .where(and(eq(embeddingOrigins.orgId, orgId), inArray(embeddingOrigins.origin, removed)));
    }
    if (added.length > 0) {
      const listed = { orgId, createdAt: new Date(), createdBy: actingAccount(tenant) };
      await tx.db.insert(embeddingOrigins).values(added.map((origin) => ({ ...listed, origin })));
    }
    await recordEvent(tx, {
      action: 'EMBEDDING_UPDATED',
      entity: 'organization',
      entityId: orgId,
      metadata: { added, removed },
    });
    return listedOrigins(tx);
  });
}

/** Returns the organization of a guest link's token, or of an embedded person's; null for a forged one. */
export const organizationOf = (
  { secrets }: Pick<Services, 'secrets'>,
  token: string,
): OrgId | null =>
  (readGuestToken(secrets, token) ?? readEmbedToken(secrets, token))?.orgId ?? null;

/** Returns the sites that may show an organization's calls in a frame; none for null. */
export async function originsOf(
  { database }: Pick<Services, 'database'>,
  orgId: OrgId | null,
): Promise<string[]> {
  if (!orgId) return [];
  return listOrigins(tenantOf(database, { kind: 'system', name: 'guest-link', orgId }, null));
}

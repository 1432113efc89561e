import { Readable } from 'node:stream';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { type FileId, fileId, type OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts } from '#server/auth/tables.ts';
import { files } from '#server/organizations/tables.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { and, eq, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import type { FileStore } from '#server/providers/files/port.ts';

const contentType = 'image/webp';
const addressOf = (id: FileId) => `/portraits/${id}.webp`;

/** Stores a sanitized image (make-picture-safe.ts) as the person's portrait, and deletes the previous one. */
export async function setPortrait(
  tenant: Tenant,
  store: FileStore,
  user: SignedInUser,
  picture: Buffer,
): Promise<SignedInUser> {
  const id = newId(fileId);
  const key = `${tenant.orgId}/${id}`;
  const stored = await store.put(key, Readable.from([picture]), picture.length);
  const row = { id, orgId: tenant.orgId, kind: 'portrait' as const, key, contentType, ...stored };
  const changed = await tenant
    .transaction(async (tx) => {
      await tx.db
        .insert(files)
        .values({ ...row, name: 'portrait.webp', createdBy: user.id, createdAt: new Date() });
      return pointTo(tx, user, id);
    })
    .catch(async (error) => {
      await store.delete(key);
      throw error;
    });
  await forgetOldPortraitsSoon(tenant, store);
  return changed;
}

/** Removes the portrait. Without a portrait, nothing changes. */
export async function removePortrait(
  tenant: Tenant,
  store: FileStore,
  user: SignedInUser,
): Promise<SignedInUser> {
  if (user.profileImageUrl === null) return user;
  const changed = await tenant.transaction((tx) => pointTo(tx, user, null));
  await forgetOldPortraitsSoon(tenant, store);
  return changed;
}

async function pointTo(tx: TenantConnection, user: SignedInUser, id: FileId | null) {
  const profileImageUrl = id && addressOf(id);
  await tx.db.update(accounts).set({ profileImageUrl }).where(eq(accounts.id, user.id));
  await recordEvent(tx, {
    action: id ? 'PORTRAIT_UPDATED' : 'PORTRAIT_REMOVED',
    entity: 'account',
    entityId: user.id,
    ...(id ? { metadata: { fileId: id } } : {}),
  });
  return { ...user, profileImageUrl };
}

/** The change is committed, and the nightly job deletes what is left. */
const forgetOldPortraitsSoon = (tenant: Tenant, store: FileStore) =>
  forgetOldPortraits(tenant, store).catch(() => undefined);

/** Deletes portraits that no account uses: the bytes first, then the row with their key. */
export async function forgetOldPortraits(tenant: Tenant, store: FileStore): Promise<void> {
  const used = sql`exists (select 1 from ${accounts}
    where ${accounts.profileImageUrl} = '/portraits/' || ${files.id} || '.webp')`;
  const old = await tenant.connection(({ db }) =>
    db
      .select({ id: files.id, key: files.key })
      .from(files)
      .where(and(eq(files.orgId, tenant.orgId), eq(files.kind, 'portrait'), sql`not ${used}`)),
  );
  for (const { id, key } of old) {
    await store.delete(key);
    await tenant.connection(({ db }) =>
      db.delete(files).where(and(eq(files.orgId, tenant.orgId), eq(files.id, id))),
    );
  }
}

const withOldPortraits: Statement = {
  name: 'organizations_with_old_portraits',
  text: 'select org_id from organizations_with_old_portraits()',
};
export async function organizationsWithOldPortraits(database: Database): Promise<OrgId[]> {
  const rows = await database.connection('outside', ({ run }) =>
    run<{ org_id: OrgId }>(withOldPortraits, []),
  );
  return rows.map((row) => row.org_id);
}

/** Returns a portrait of the tenant's members; null for any other file. */
export async function findPortrait(tenant: Tenant, id: FileId) {
  const [found] = await tenant.connection(({ db }) =>
    db
      .select({ key: files.key, contentType: files.contentType, sizeBytes: files.sizeBytes })
      .from(files)
      .where(and(eq(files.orgId, tenant.orgId), eq(files.kind, 'portrait'), eq(files.id, id))),
  );
  return found ?? null;
}

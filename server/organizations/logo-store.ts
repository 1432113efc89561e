import { Readable } from 'node:stream';
import type { FileId, OrgId } from '#domain/ids.ts';
import { fileId } from '#domain/ids.ts';
import type { Organization } from '#domain/organizations/contract.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { and, eq, ne, or, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import type { FileStore } from '#server/providers/files/port.ts';
import { asOrganization, changeOrganization, lockOrganization } from './store.ts';
import { files, organizations } from './tables.ts';

const contentType = 'image/png';

/** Stores a sanitized image (make-picture-safe.ts) as the logo, and deletes the previous one. */
export async function setLogo(
  tenant: Tenant,
  store: FileStore,
  picture: Buffer,
): Promise<Organization> {
  const id = newId(fileId);
  const key = `${tenant.orgId}/${id}`;
  const stored = await store.put(key, Readable.from([picture]), picture.length);
  const changed = await tenant
    .transaction(async (tx) => {
      await lockOrganization(tx);
      await tx.db.insert(files).values({
        id,
        orgId: tenant.orgId,
        kind: 'logo',
        key,
        name: 'logo.png',
        contentType,
        ...stored,
        createdBy: actingAccount(tenant),
        createdAt: new Date(),
      });
      return pointTo(tx, id);
    })
    .catch(async (error) => {
      await store.delete(key);
      throw error;
    });
  await forgetOldLogosSoon(tenant, store);
  return changed;
}

/** Removes the logo. Without a logo, nothing changes. */
export async function removeLogo(tenant: Tenant, store: FileStore): Promise<Organization> {
  const changed = await tenant.transaction(async (tx) => {
    const before = await lockOrganization(tx);
    return before.logoFileId ? pointTo(tx, null) : asOrganization(before);
  });
  await forgetOldLogosSoon(tenant, store);
  return changed;
}

/** The change is committed, and the nightly job deletes what is left. */
const forgetOldLogosSoon = (tenant: Tenant, store: FileStore) =>
  forgetOldLogos(tenant, store).catch(() => undefined);

const pointTo = (tx: TenantConnection, logoFileId: FileId | null) =>
  changeOrganization(
    tx,
    { logoFileId },
    {
      action: logoFileId ? 'ORGANIZATION_LOGO_UPDATED' : 'ORGANIZATION_LOGO_REMOVED',
      fileId: logoFileId,
    },
  );

/**
 * Deletes the organization's previous logos: the bytes first, then the row with their key, so that an
 * interrupted deletion is repeated (jobs.ts).
 */
export async function forgetOldLogos(tenant: Tenant, store: FileStore): Promise<void> {
  const current = sql`(select logo_file_id from ${organizations} where id = ${tenant.orgId})`;
  const old = await tenant.connection(({ db }) =>
    db
      .select({ id: files.id, key: files.key })
      .from(files)
      .where(
        and(
          eq(files.orgId, tenant.orgId),
          eq(files.kind, 'logo'),
          or(sql`${current} is null`, ne(files.id, current)),
        ),
      ),
  );
  for (const { id, key } of old) {
    await store.delete(key);
    await tenant.connection(({ db }) =>
      db.delete(files).where(and(eq(files.orgId, tenant.orgId), eq(files.id, id))),
    );
  }
}

const withOldLogos: Statement = {
  name: 'organizations_with_old_logos',
  text: 'select org_id from organizations_with_old_logos()',
};
export async function organizationsWithOldLogos(database: Database): Promise<OrgId[]> {
  const rows = await database.connection('outside', ({ run }) =>
    run<{ org_id: OrgId }>(withOldLogos, []),
  );
  return rows.map((row) => row.org_id);
}

const publicLogo: Statement = { name: 'find_logo', text: 'select * from find_logo($1)' };
/** Returns the file of a logo that an organization currently uses; null for any other file. */
export async function findLogo(database: Database, id: FileId) {
  const [found] = await database.connection('outside', ({ run }) =>
    run<{ key: string; content_type: string; size_bytes: string }>(publicLogo, [id]),
  );
  return found
    ? { key: found.key, contentType: found.content_type, sizeBytes: Number(found.size_bytes) }
    : null;
}

import type { OrgId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { onceForEach } from '#server/platform/once-for-each.ts';
import type { Services } from '#server/services.ts';
import { uploadBounds } from './bounds.ts';
import { storageFull } from './upload-token.ts';

const gigabyte = 1024 ** 3;
const usageSeconds = 60;
const mostKept = 10_000;
/** Bytes that organizations use, as of at most a minute ago. */
const usages = onceForEach<Database, Map<OrgId, { bytes: number; readAt: number }>>(
  () => new Map(),
);

const readUsage: Statement = {
  name: 'recorded_bytes',
  text: `select ((select coalesce(sum(size_bytes), 0) from recorded_media where org_id = $1)
    + (select coalesce(sum(size_bytes), 0) from recorded_segments
      where org_id = $1 and parts_deleted_at is null))::float8 as bytes`,
};

/** Returns the bytes of the organization's recordings: joined files, and parts that are still kept. */
export async function usedBytes({ run, tenant }: TenantConnection): Promise<number> {
  const [row] = await run<{ bytes: number }>(readUsage, [tenant.orgId]);
  return row?.bytes ?? 0;
}

/**
 * Checks that the disk and the organization's share have room for more.
 * @param bytes that are about to be stored at once
 * @throws DomainError 507
 */
export async function requireRoom(
  { files, config, database }: Pick<Services, 'files' | 'config' | 'database'>,
  tenant: Tenant,
  bytes = 0,
): Promise<void> {
  if ((await files.freeBytes()) - bytes < uploadBounds.leftOnDisk) throw storageFull();
  const most = config.RECORDINGS_MOST_GB * gigabyte;
  if (most === 0) return;
  const known = usages(database);
  const now = Date.now();
  let usage = known.get(tenant.orgId);
  if (!usage || now - usage.readAt > usageSeconds * 1000) {
    usage = { bytes: await tenant.connection(usedBytes), readAt: now };
    known.delete(tenant.orgId);
    known.set(tenant.orgId, usage);
    const [oldest] = known.keys();
    if (known.size > mostKept && oldest) known.delete(oldest);
  }
  if (usage.bytes >= most) throw storageFull();
}

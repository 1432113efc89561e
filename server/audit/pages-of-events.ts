import type { AuditEvent, AuditFilter } from '#domain/audit/contract.ts';
import { requireStillMay, type Tenant } from '#server/platform/access.ts';
import type { Gate } from '#server/platform/database.ts';
import { exportTurns } from '#server/platform/export-turns.ts';
import { listAuditEvents } from './store.ts';

/** The number of events in memory at a time, regardless of the log's length. */
const pageSize = 500;

/**
 * Yields the matching events, newest first, in pages, each in the organization's turn. Checks before each page
 * that the reader is still authorized.
 * @throws DomainError 401, 403
 */
export async function* pagesOfEvents(
  tenant: Tenant,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  const through: Gate = (work) => exportTurns.run(tenant.orgId, work);
  let before: string | undefined;
  do {
    await requireStillMay(tenant);
    const page = await listAuditEvents(tenant, { ...filter, limit: pageSize, before }, through);
    if (page.length > 0) yield page;
    before = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

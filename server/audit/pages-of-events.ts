import type { AuditEvent, AuditFilter } from '#domain/audit/contract.ts';
import { requireStillMay, type Tenant } from '#server/platform/access.ts';
import { listAuditEvents } from './store.ts';

/** Events in memory at a time, however long the log is. */
const pageSize = 500;

/**
 * The events that fit, newest first, a page at a time. Before each page it is checked that who reads them
 * still may.
 * @throws DomainError 401, 403
 */
export async function* pagesOfEvents(
  tenant: Tenant,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  let before: string | undefined;
  do {
    await requireStillMay(tenant);
    const page = await listAuditEvents(tenant, { ...filter, limit: pageSize, before });
    if (page.length > 0) yield page;
    before = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

import type { AuditEvent, AuditFilter } from '#domain/audit/contract.ts';
import { actingAccount, requireStillMay, type Tenant } from '#server/platform/access.ts';
import type { Gate } from '#server/platform/database.ts';
import { exportTurns } from '#server/platform/export-turns.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { listAuditEvents } from './store.ts';

/** The number of events in memory at a time, regardless of the log's length. */
const pageSize = 200;
/** Events that the exports of one organization together read: a page takes several milliseconds. */
const rate = new PacedTurns({ burst: 2 * pageSize, perSecond: 4_000 });
/** A reader who leaves is noticed with the next page. */
const open = new AbortController().signal;

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
    await rate.turn(tenant.orgId, `${actingAccount(tenant)}`, open, pageSize);
    await requireStillMay(tenant);
    const page = await listAuditEvents(tenant, { ...filter, limit: pageSize, before }, through);
    if (page.length > 0) yield page;
    before = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

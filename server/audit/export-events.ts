import { Readable } from 'node:stream';
import type { AuditEvent, AuditFilter } from '#domain/audit/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import { byteOrderMark, csvLine } from '#server/platform/csv.ts';
import { pagesOfEvents } from './pages-of-events.ts';
import { recordEvent } from './record-event.ts';

const columns: readonly [string, (event: AuditEvent) => string][] = [
  ['createdAt', ({ createdAt }) => createdAt],
  ['action', ({ action }) => action],
  ['entity', ({ entity }) => entity],
  ['entityId', ({ entityId }) => entityId ?? ''],
  ['userId', ({ userId }) => userId ?? 'System'],
  ['actor', ({ actor }) => actor.name],
  ['actorKind', ({ actor }) => actor.kind],
  ['address', ({ address }) => address ?? ''],
  ['metadata', ({ metadata }) => (metadata ? JSON.stringify(metadata) : '')],
  ['id', ({ id }) => id],
];

const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: byteOrderMark + csvLine(columns.map(([name]) => name)),
    line: (event: AuditEvent) => csvLine(columns.map(([, read]) => read(event))),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (event: AuditEvent) => `${JSON.stringify(event)}\n`,
  },
};

/**
 * Returns the log as a stream that is read while it is sent, and records the export as an event. The stream
 * fails once its reader is no longer authorized.
 */
export async function exportEvents(
  tenant: Tenant,
  format: keyof typeof formats,
  filter: AuditFilter,
): Promise<{ type: string; content: Readable }> {
  await tenant.transaction((tx) =>
    recordEvent(tx, {
      action: 'AUDIT_LOG_EXPORTED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { format, ...filter },
    }),
  );
  const { type, head, line } = formats[format];
  return { type, content: Readable.from(linesOf(tenant, filter, head, line)) };
}

async function* linesOf(
  tenant: Tenant,
  filter: AuditFilter,
  head: string,
  line: (event: AuditEvent) => string,
): AsyncGenerator<string> {
  if (head) yield head;
  for await (const page of pagesOfEvents(tenant, filter)) yield page.map(line).join('');
}

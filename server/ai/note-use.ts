import type { Analyzer } from '#domain/ai/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';

/**
 * Records that a conversation is analyzed: before it is passed on, because its text leaves the server even if the
 * analyzer then fails.
 */
export const noteUse = (
  tenant: Tenant,
  analyzer: Analyzer,
  action: Uppercase<string>,
  call: CallId,
): Promise<void> =>
  tenant.transaction((tx) =>
    recordEvent(tx, { action, entity: 'call', entityId: call, metadata: { ...analyzer } }),
  );

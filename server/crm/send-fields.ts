import { propertyNames } from '#domain/crm/call-text.ts';
import type { CrmMapping } from '#domain/crm/mapping.ts';
import type { CallId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { type Access, type Crm, CrmFailure, type CrmFields } from '#server/providers/crm/port.ts';
import { digestOf } from './digest.ts';
import { readLoggedCall } from './logged-call.ts';
import type { SyncNotes } from './note-sync.ts';
import type { CrmSession } from './session.ts';

interface Sending {
  tenant: Tenant;
  crm: Crm;
  session: CrmSession;
  notes: SyncNotes;
  mapping: CrmMapping;
  /** The address of the installation. */
  home: string;
  callId: CallId;
  /** Properties of which the vendor may have a value. */
  sentProperties: readonly string[];
}

/**
 * Sends the call as it is at that moment, so that nothing leaves that was removed while the vendor was asked for
 * something else. Properties that are mapped no more are emptied.
 * @returns the names of the fields; null if the sync is another process's now
 * @throws CrmFailure; DomainError 404
 */
export async function sendFields(
  { tenant, crm, session, notes, mapping, home, callId, sentProperties }: Sending,
  send: (access: Access, fields: CrmFields) => Promise<void>,
): Promise<string[] | null> {
  const properties = propertyNames(mapping);
  const former = sentProperties.filter((name) => !properties.includes(name));
  const emptied = Object.fromEntries(former.map((name) => [name, null]));
  // Before it is sent: the answer may be lost.
  if (!(await notes.isSending(properties))) return null;
  const fields = await session.use(async (access) => {
    const { call } = await tenant.connection((at) => readLoggedCall(at, callId, home));
    const now = crm.callFields(call, mapping);
    await send(access, { ...emptied, ...now }).catch((error: unknown) => {
      const isRefused = error instanceof CrmFailure && error.kind === 'rejected';
      if (!isRefused || former.length === 0) throw error;
      // One of the former properties may be gone there, and its value with it.
      return send(access, now);
    });
    return now;
  });
  await notes.keepSent(digestOf(fields), properties);
  return Object.keys(fields);
}

import { recordEvent } from '#server/audit/record-event.ts';
import { newResetLink } from '#server/auth/reset-password.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { findAccount } from './find-account.ts';

/**
 * Returns a link that sets a new password, for people whom no mail reaches. It works once, for an hour. The
 * password and the second factor stay unchanged until then.
 */
export async function resetAccount(
  database: Database,
  given: string,
  publicUrl: string,
): Promise<string> {
  const { id, email, orgId } = await findAccount(database, given);
  const url = await newResetLink(database, id, publicUrl);
  if (orgId) {
    const operator = { kind: 'system' as const, name: 'operator', orgId };
    await tenantOf(database, operator, null).transaction((tx) =>
      recordEvent(tx, { action: 'RESET_LINK_CREATED', entity: 'account', entityId: id }),
    );
  }
  return `With this link ${email} chooses another password. It works once, for an hour:\n  ${url}`;
}

import type { CallId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isHeld, underLegalHold } from './discard-captured.ts';

const lockEnded: Statement = {
  name: 'lock_ended_call',
  text: 'select from calls where org_id = $1 and id = $2 and ended_at is not null for no key update',
};

/**
 * For what replaces something that a call has: once the call has ended, a legal hold keeps it. Locks an ended call
 * against a hold that is placed meanwhile.
 * @throws DomainError 409
 */
export async function requireNotKept(tx: TenantConnection, call: CallId): Promise<void> {
  const ended = await tx.run(lockEnded, [tx.tenant.orgId, call]);
  if (ended.length > 0 && (await isHeld(tx, call))) throw underLegalHold();
}

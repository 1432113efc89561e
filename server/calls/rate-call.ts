import { createHash } from 'node:crypto';
import { type CallId, ratingId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { requireNotKept } from '#server/consent/kept-call.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { ratings } from './tables.ts';

/**
 * Returns the id of the rating that an organization's tokens give a call: a UUID of version 8 (RFC 9562), so that they
 * give one.
 */
function idOfTokens(id: CallId) {
  const bytes = createHash('sha256').update(`rating by tokens ${id}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return ratingId.parse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

const earlier: Statement = {
  name: 'earlier_rating',
  text: `select from ratings
    where org_id = $1 and call_id = $2 and (account_id = $3 or $3::uuid is null and id = $4)`,
};

/**
 * Stores the score of the acting staff member, or of the organization's tokens, replacing an earlier one.
 * @throws DomainError 409 where a legal hold keeps the earlier one
 */
export async function rateCall(
  tx: TenantConnection,
  id: CallId,
  score: number,
  feedback: string | undefined,
): Promise<void> {
  const now = new Date();
  const given = { score, feedback: feedback || null, updatedAt: now };
  const accountId = actingAccount(tx.tenant);
  const values = [tx.tenant.orgId, id, accountId, idOfTokens(id)];
  if ((await tx.run(earlier, values)).length > 0) await requireNotKept(tx, id);
  await tx.db
    .insert(ratings)
    .values({
      id: accountId === null ? idOfTokens(id) : newId(ratingId),
      orgId: tx.tenant.orgId,
      callId: id,
      kind: 'staff',
      accountId,
      createdAt: now,
      ...given,
    })
    .onConflictDoUpdate({
      target: accountId === null ? [ratings.id] : [ratings.callId, ratings.accountId],
      set: given,
    });
  await recordEvent(tx, {
    action: 'CALL_RATED',
    entity: 'call',
    entityId: id,
    metadata: { fields: feedback ? ['npsScore', 'npsFeedback'] : ['npsScore'] },
  });
}

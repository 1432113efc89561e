import { type CallId, ratingId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import { ratings } from './tables.ts';

/** Stores the score of the acting staff member, replacing an earlier one. */
export async function rateCall(
  tx: TenantConnection,
  id: CallId,
  score: number,
  feedback: string | undefined,
): Promise<void> {
  const now = new Date();
  const given = { score, feedback: feedback || null, updatedAt: now };
  await tx.db
    .insert(ratings)
    .values({
      id: newId(ratingId),
      orgId: tx.tenant.orgId,
      callId: id,
      kind: 'staff',
      accountId: actingAccount(tx.tenant),
      createdAt: now,
      ...given,
    })
    .onConflictDoUpdate({ target: [ratings.callId, ratings.accountId], set: given });
  await recordEvent(tx, {
    action: 'CALL_RATED',
    entity: 'call',
    entityId: id,
    metadata: { fields: feedback ? ['npsScore', 'npsFeedback'] : ['npsScore'] },
  });
}

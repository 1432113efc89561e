import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import { isNotHeld } from '#server/consent/held-words.ts';
import { samePerson } from '#server/consent/same-person.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, asc, desc, eq, sql } from '#server/platform/drizzle.ts';
import { transcriptLines } from './tables.ts';

/**
 * Returns the call's phrases in the order in which they were said.
 * @param most of which the first are returned, or the last by `which.newest`
 * @param which `agreedTo`: only phrases of participants whose newest answer agrees to this kind of capture, and whose
 *   removal does not wait for a legal hold
 */
export async function readTurns(
  at: TenantConnection,
  call: CallId,
  most: number,
  which: { newest?: boolean; agreedTo?: CaptureKind } = {},
): Promise<Turn[]> {
  const order = which.newest ? desc : asc;
  const { agreedTo } = which;
  const rows = await at.db
    .select({
      lineId: transcriptLines.id,
      participantId: sql<ParticipantId>`${sql.raw(samePerson('transcript_lines'))}`,
      speaker: transcriptLines.name,
      kind: transcriptLines.participantKind,
      startMs: transcriptLines.startMs,
      endMs: transcriptLines.endMs,
      language: transcriptLines.language,
      text: transcriptLines.text,
    })
    .from(transcriptLines)
    .where(
      and(
        eq(transcriptLines.orgId, at.tenant.orgId),
        eq(transcriptLines.callId, call),
        ...(agreedTo ? [agreed(agreedTo)] : []),
      ),
    )
    .orderBy(order(transcriptLines.startMs), order(transcriptLines.id))
    .limit(most);
  if (which.newest) rows.reverse();
  return rows.map(({ kind, ...turn }) => ({
    ...turn,
    side: kind === 'staff' ? 'team' : 'customer',
  }));
}

const agreed = (kind: CaptureKind) => sql`coalesce((
  select ${kind} = any (c.agreed) from consents c
  where c.org_id = ${transcriptLines.orgId} and c.participant_id = ${transcriptLines.participantId}
    and ${kind} = any (c.asked)
  order by c.id desc limit 1
), false) and ${sql.raw(isNotHeld('transcript_lines'))}`;

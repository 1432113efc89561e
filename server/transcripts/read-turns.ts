import type { CallId, ParticipantId, TranscriptLineId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, asc, eq } from '#server/platform/drizzle.ts';
import { transcriptLines } from './tables.ts';

/** One phrase of a call's transcript. Times are milliseconds after the call's start. */
export interface Turn {
  lineId: TranscriptLineId;
  participantId: ParticipantId;
  speaker: string;
  side: 'team' | 'customer';
  startMs: number;
  endMs: number;
  language: string | null;
  text: string;
}

/** Returns the call's phrases in the order in which they were said, at most `most` of them. */
export async function readTurns(at: TenantConnection, call: CallId, most: number): Promise<Turn[]> {
  const rows = await at.db
    .select({
      lineId: transcriptLines.id,
      participantId: transcriptLines.participantId,
      speaker: transcriptLines.name,
      kind: transcriptLines.participantKind,
      startMs: transcriptLines.startMs,
      endMs: transcriptLines.endMs,
      language: transcriptLines.language,
      text: transcriptLines.text,
    })
    .from(transcriptLines)
    .where(and(eq(transcriptLines.orgId, at.tenant.orgId), eq(transcriptLines.callId, call)))
    .orderBy(asc(transcriptLines.startMs), asc(transcriptLines.id))
    .limit(most);
  return rows.map(({ kind, ...turn }) => ({
    ...turn,
    side: kind === 'staff' ? 'team' : 'customer',
  }));
}

import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import { isNotHeld } from '#server/consent/held-words.ts';
import { samePerson } from '#server/consent/same-person.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
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
        ...(agreedTo ? [sql.raw(agrees('transcript_lines', `'${agreedTo}'`))] : []),
      ),
    )
    .orderBy(order(transcriptLines.startMs), order(transcriptLines.id))
    .limit(most);
  if (which.newest) rows.reverse();
  return rows.map(asTurn);
}

type Row = Omit<Turn, 'side'> & { kind: 'staff' | 'guest' };

const asTurn = ({ kind, ...turn }: Row): Turn => ({
  ...turn,
  side: kind === 'staff' ? 'team' : 'customer',
});

/**
 * SQL for whether a row's participant agrees to a kind of capture by their newest answer, and no removal of them waits
 * for a legal hold.
 * @param row a table that has org_id, call_id, and participant_id
 * @param kind SQL for the kind
 */
const agrees = (row: string, kind: string) => `coalesce((
  select ${kind} = any (c.agreed) from consents c
  where c.org_id = ${row}.org_id and c.participant_id = ${row}.participant_id
    and ${kind} = any (c.asked)
  order by c.id desc limit 1
), false) and ${isNotHeld(row)}`;

const stillAgreed: Statement = {
  name: 'phrases_that_are_agreed_to',
  text: `select coalesce(sum(l.phrases), 0)::int as phrases
    from (
      select org_id, call_id, participant_id, count(*) as phrases from transcript_lines
      where org_id = $1 and id = any ($2) group by org_id, call_id, participant_id
    ) l where ${agrees('l', '$3')}`,
};

/** Returns whether all of these phrases still exist, and their participants agree to this kind of capture, as in `readTurns`. */
export async function areAgreedTo(
  { run, tenant }: TenantConnection,
  lines: readonly string[],
  kind: CaptureKind,
): Promise<boolean> {
  if (lines.length === 0) return true;
  const [row] = await run<{ phrases: number }>(stillAgreed, [tenant.orgId, lines, kind]);
  return row?.phrases === lines.length;
}

// Of the lines that are looked at, those are read that fit: a line may have 5,000 characters.
const endOfTranscript: Statement = {
  name: 'end_of_transcript',
  text: `select n.id as "lineId", ${samePerson('n')} as "participantId", n.name as speaker,
      n.participant_kind as kind, n.start_ms as "startMs", n.end_ms as "endMs", n.language, n.text
    from (
      select newest.*, sum(length(newest.text)) over (order by newest.start_ms desc, newest.id desc) as characters
      from (
        select l.org_id, l.call_id, l.id, l.participant_id, l.participant_kind, l.account_id, l.name,
          l.start_ms, l.end_ms, l.language, l.text
        from transcript_lines l
        where l.org_id = $1 and l.call_id = $2 and ${agrees('l', '$5')}
        order by l.start_ms desc, l.id desc limit $3
      ) newest
    ) n where n.characters <= $4 order by n.start_ms, n.id`,
};

/**
 * Returns the last phrases of a call that have so many characters together, in their order, of participants who agree.
 * @param most phrases that are looked at
 */
export async function readLastTurns(
  { run, tenant }: TenantConnection,
  call: CallId,
  { most, characters, agreedTo }: { most: number; characters: number; agreedTo: CaptureKind },
): Promise<Turn[]> {
  const values = [tenant.orgId, call, most, characters, agreedTo];
  return (await run<Row>(endOfTranscript, values)).map(asTurn);
}

import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CallId } from '#domain/ids.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import { isNotHeld } from '#server/consent/held-words.ts';
import { samePerson } from '#server/consent/same-person.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

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

/** Returns whether all of these phrases still exist, and their participants agree to this kind of capture, as in `readLastTurns`. */
export async function areAgreedTo(
  { run, tenant }: TenantConnection,
  lines: readonly string[],
  kind: CaptureKind,
): Promise<boolean> {
  if (lines.length === 0) return true;
  const [row] = await run<{ phrases: number }>(stillAgreed, [tenant.orgId, lines, kind]);
  return row?.phrases === lines.length;
}

// A phrase may have 5,000 characters, and is read only if it may fit. The length in bytes is known without reading its text.
const endOfTranscript: Statement = {
  name: 'end_of_transcript',
  text: `select l.id as "lineId", ${samePerson('l')} as "participantId", l.name as speaker,
      l.participant_kind as kind, l.start_ms as "startMs", l.end_ms as "endMs", l.language, l.text
    from (
      select newest.id, sum(newest.bytes) over (order by newest.start_ms desc, newest.id desc) as bytes
      from (
        select l.id, l.start_ms, octet_length(l.text) as bytes
        from transcript_lines l
        where l.org_id = $1 and l.call_id = $2 and ${agrees('l', '$5')}
        order by l.start_ms desc, l.id desc limit $3
      ) newest
    ) n join transcript_lines l on l.org_id = $1 and l.id = n.id
    where n.bytes <= $4 order by l.start_ms, l.id`,
};
const mostBytesOfCharacter = 4;

/**
 * Returns the last phrases of a call that have at most so many characters together, in their order, of participants who
 * agree.
 * @param most phrases that are looked at
 */
export async function readLastTurns(
  { run, tenant }: TenantConnection,
  call: CallId,
  { most, characters, agreedTo }: { most: number; characters: number; agreedTo: CaptureKind },
): Promise<Turn[]> {
  const bytes = characters * mostBytesOfCharacter;
  const rows = await run<Row>(endOfTranscript, [tenant.orgId, call, most, bytes, agreedTo]);
  return lastTurns(rows.map(asTurn), characters);
}

/** Returns whole phrases, the newest that fit. */
export function lastTurns(turns: readonly Turn[], characters: number): Turn[] {
  let left = characters;
  const first = turns.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return turns.slice(first + 1);
}

import type { OutputOf } from '#domain/contract.ts';
import { invalid, notFound } from '#domain/errors.ts';
import { type CallId, leastId, type TranscriptLineId, transcriptLineId } from '#domain/ids.ts';
import type { getTranscript, TranscriptLine } from '#domain/transcripts/contract.ts';
import { samePerson } from '#server/consent/same-person.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Gate, Statement } from '#server/platform/database.ts';

const columns = `id, ${samePerson('transcript_lines')} as "participantId", name, participant_kind as "kind",
  start_ms as "startMs", end_ms as "endMs", language, text, recognized_text as "recognizedText"`;
// Of the lines that are looked at, those are read that fit: one may have 5,000 characters, twice if it was corrected.
const linesAfter: Statement = {
  name: 'transcript_lines_after',
  text: `select ${columns} from (
      select l.*, sum(l.characters) over (order by l.start_ms, l.id) - l.characters as before
      from (
        select id, org_id, call_id, participant_id, participant_kind, account_id, name, start_ms, end_ms, language,
          text, recognized_text, length(text) + coalesce(length(recognized_text), 0) as characters
        from transcript_lines
        where org_id = $1 and call_id = $2 and (start_ms, id) > ($3, $4)
        order by start_ms, id limit $5
      ) l
    ) transcript_lines
    where before < $6 order by start_ms, id`,
};
const lineById: Statement = {
  name: 'transcript_line_by_id',
  text: `select ${columns}, call_id as "callId" from transcript_lines where org_id = $1 and id = $2`,
};
const aroundTranscript: Statement = {
  name: 'around_transcript',
  text: `select c.started_at as "startedAt", r.topic,
      exists (select from captures p where p.org_id = c.org_id and p.call_id = c.id
        and p.kind = 'transcript' and p.stopped_at is null) and c.ended_at is null as "isLive",
      (select coalesce(sum(g.phrases), 0)::integer from transcript_gaps g
        where g.org_id = c.org_id and g.call_id = c.id) as "missingPhrases"
    from calls c join rooms r on r.id = c.room_id
    where c.org_id = $1 and c.id = $2`,
};

interface AroundRow {
  startedAt: Date;
  topic: string;
  isLive: boolean;
  missingPhrases: number;
}

/** The place of a line in its transcript. */
interface Place {
  startMs: number;
  id: TranscriptLineId | typeof leastId;
}
const atStart: Place = { startMs: -1, id: leastId };

/** @throws DomainError 404 */
export async function readTranscript(
  tenant: Tenant,
  id: CallId,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<OutputOf<typeof getTranscript>> {
  const place = after === undefined ? atStart : placeOf(after);
  return tenant.connection(async (at) => {
    const around = await readAround(at, id);
    const most = { lines: limit, characters: mostCharacters };
    const lines = await readLines(at, id, place, most);
    const last = lines.at(-1);
    const { isLive, missingPhrases } = around;
    return {
      state: stateOf(isLive, lines.length > 0 || after !== undefined, missingPhrases),
      lines,
      missingPhrases,
      next: last && isFull(lines, most) ? `${last.startMs}.${last.id}` : null,
    };
  });
}

/** Whether other lines may follow those of a page. */
export function isFull(page: readonly TranscriptLine[], most: PageSize): boolean {
  const characters = page.reduce(
    (sum, { text, recognizedText }) => sum + text.length + (recognizedText?.length ?? 0),
    0,
  );
  return page.length === most.lines || characters >= most.characters;
}

function stateOf(isLive: boolean, hasLines: boolean, missing: number) {
  if (isLive) return 'live';
  if (hasLines) return 'ready';
  return missing > 0 ? 'failed' : 'none';
}

/** @throws DomainError 404 */
export async function readAround(at: TenantConnection, id: CallId): Promise<AroundRow> {
  const [around] = await at.run<AroundRow>(aroundTranscript, [at.tenant.orgId, id]);
  if (!around) throw notFound();
  return around;
}

/** The most of a page of lines. */
export interface PageSize {
  lines: number;
  /** Of their texts. The last line of a page may pass it. */
  characters: number;
}
/** Of the texts in one answer. A thousand phrases that people say have 100,000. */
const mostCharacters = 300_000;

const readLines = (at: TenantConnection, id: CallId, place: Place, most: PageSize) => {
  const values = [at.tenant.orgId, id, place.startMs, place.id, most.lines, most.characters];
  return at.run<TranscriptLine>(linesAfter, values);
};

/** @throws DomainError 404 */
export async function readLine(
  at: TenantConnection,
  id: TranscriptLineId,
): Promise<TranscriptLine & { callId: CallId }> {
  const [line] = await at.run<TranscriptLine & { callId: CallId }>(lineById, [at.tenant.orgId, id]);
  if (!line) throw notFound();
  return line;
}

/** Returns the lines after the last one of the page before, in the order in which they were said. */
export const pageOfLines = (
  tenant: Tenant,
  id: CallId,
  last: TranscriptLine | undefined,
  most: PageSize,
  through: Gate,
): Promise<TranscriptLine[]> =>
  tenant.connection((at) => readLines(at, id, last ?? atStart, most), { through });

function placeOf(after: string): Place {
  const [startMs = '', id] = after.split('.');
  const line = transcriptLineId.safeParse(id);
  if (line.success && /^\d{1,9}$/.test(startMs)) return { startMs: Number(startMs), id: line.data };
  throw invalid('bad_cursor', 'Please use the `next` of the page before.', 'after');
}

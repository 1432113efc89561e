import type { Caption } from '#domain/calls/caption.ts';
import {
  type AccountId,
  type CallId,
  type ParticipantId,
  type RecordedMediaId,
  type TranscriptLineId,
  transcriptLineId,
} from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { SpeechFailure } from '#server/providers/speech/port.ts';

/** As the constraint `transcript_lines_text` allows. */
const longestLine = 5000;
const longestLanguage = 35;
const longestPhraseMs = 20_000;

export interface RecognizedLine {
  startMs: number;
  endMs: number;
  text: string;
  language: string | null;
  recognizer: string;
}

/** Whose line it is. */
export interface LineOwner {
  tenant: Tenant;
  callId: CallId;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  accountId: AccountId | null;
  name: string;
  /** The start of the call's clock, in milliseconds since 1970. */
  callStartedAt: number;
  /** Of the recorded file from which the line is recognized, which must still exist; none for what is said now. */
  mediaId?: RecordedMediaId;
}

// Shared, against the one of an answer (migration 0054).
const lockLines: Statement = {
  name: 'lock_lines_of_participant',
  text: "select pg_advisory_xact_lock_shared(hashtextextended('transcript ' || $1, 0))",
};
// What was captured is deleted under a lock on the call (consent/discard-captured.ts), which this one excludes.
const keepCaptured: Statement = {
  name: 'keep_captured_of_call',
  text: 'select from calls where org_id = $1 and id = $2 for share',
};
// What was said while the transcript ran is stored after it was stopped, too, but not after the consent to it ended.
// The same phrase may come twice, live and from the recording (alignment/).
const insertLine: Statement = {
  name: 'insert_transcript_line',
  text: `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, account_id,
      name, start_ms, end_ms, language, text, recognizer)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
    where exists (
      select from captures c
      where c.org_id = $2 and c.call_id = $3 and c.kind = 'transcript'
        and (c.stopped_at is null or c.stopped_at >= $13)
    ) and coalesce((
      select 'transcript' = any (agreed) from consents
      where org_id = $2 and participant_id = $4 and 'transcript' = any (asked)
      order by id desc limit 1
    ), false) and ($14::uuid is null or exists (
      select from recorded_media m where m.org_id = $2 and m.id = $14
    )) and not exists (
      select from attendances a
      where a.org_id = $2 and a.call_id = $3 and a.id = $4 and a.name = 'Deleted person'
    ) and not exists (
      select from transcript_lines l
      where l.org_id = $2 and l.call_id = $3 and l.participant_id = $4
        and l.start_ms between $8 - ${longestPhraseMs} and $9
        and least(l.end_ms, $9) - greatest(l.start_ms, $8) > least(l.end_ms - l.start_ms, $9 - $8) / 2
    )
    returning exists (select from transcript_lines
      where org_id = $2 and call_id = $3) as "hadLines"`,
};

/**
 * Stores a line, unless its speaker has withdrawn or was erased meanwhile, or its recording was deleted. The first one of a call writes an audit event.
 * @returns the line, or null if it was not stored
 */
export function keepLine(owner: LineOwner, line: RecognizedLine): Promise<Caption | null> {
  const { tenant, callId, participantId, kind, accountId, name, callStartedAt, mediaId } = owner;
  const { startMs, endMs, recognizer } = line;
  const text = line.text.replaceAll('\0', '').slice(0, longestLine);
  const language = line.language?.slice(0, longestLanguage) ?? null;
  const id: TranscriptLineId = newId(transcriptLineId);
  return tenant.transaction(
    async (tx) => {
      await tx.run(lockLines, [participantId]);
      await tx.run(keepCaptured, [tenant.orgId, callId]);
      const [stored] = await tx.run<{ hadLines: boolean }>(insertLine, [
        ...[id, tenant.orgId, callId, participantId, kind, accountId, name, startMs, endMs],
        ...[language, text, recognizer, new Date(callStartedAt + startMs), mediaId ?? null],
      ]);
      if (!stored) return null;
      if (!stored.hadLines) {
        await recordEvent(tx, { action: 'TRANSCRIPT_STARTED', entity: 'call', entityId: callId });
      }
      return { id, participantId, kind, name, startMs, endMs, language, text };
    },
    { isAboutSelf: true },
  );
}

const countGap: Statement = {
  name: 'count_transcript_gap',
  text: `insert into transcript_gaps (org_id, call_id, participant_id, failure)
    values ($1, $2, $3, $4)
    on conflict (org_id, call_id, participant_id) do update
      set phrases = transcript_gaps.phrases + 1, failure = excluded.failure, last_at = now()`,
};

/** Counts a phrase that could not be recognized, so that the transcript shows that it is missing. */
export function keepGap(owner: LineOwner, failure: SpeechFailure | 'crowded'): Promise<void> {
  const { tenant, callId, participantId } = owner;
  return tenant.connection(async ({ run }: TenantConnection) => {
    await run(countGap, [tenant.orgId, callId, participantId, failure]);
  });
}

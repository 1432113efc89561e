import type { CallId, TranscriptLineId } from '#domain/ids.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { readLine } from './read-transcript.ts';

// The recognized text is what the service first answered, however often the line is corrected.
const correct: Statement = {
  name: 'correct_transcript_line',
  text: `update transcript_lines set
      text = $4,
      recognized_text = nullif(coalesce(recognized_text, text), $4),
      corrected_at = case when coalesce(recognized_text, text) = $4 then null else now() end,
      corrected_by = case when coalesce(recognized_text, text) = $4 then null else $5::uuid end
    where org_id = $1 and call_id = $2 and id = $3 and text <> $4`,
};

/** @throws DomainError 404 */
export function correctLine(
  tenant: Tenant,
  call: CallId,
  id: TranscriptLineId,
  text: string,
): Promise<TranscriptLine> {
  return tenant.transaction(async (tx) => {
    const before = await readLine(tx, call, id);
    if (before.text === text) return before;
    await tx.run(correct, [tenant.orgId, call, id, text, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'TRANSCRIPT_LINE_CORRECTED',
      entity: 'call',
      entityId: call,
      metadata: { lineId: id },
    });
    return readLine(tx, call, id);
  });
}

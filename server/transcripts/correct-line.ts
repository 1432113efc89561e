import type { TranscriptLineId } from '#domain/ids.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { readLine } from './read-transcript.ts';

// The recognized text is what the service first answered, however often the line is corrected.
const correct: Statement = {
  name: 'correct_transcript_line',
  text: `update transcript_lines set
      text = $3,
      recognized_text = nullif(coalesce(recognized_text, text), $3),
      corrected_at = case when coalesce(recognized_text, text) = $3 then null else now() end,
      corrected_by = case when coalesce(recognized_text, text) = $3 then null else $4::uuid end
    where org_id = $1 and id = $2 and text <> $3`,
};

/** @throws DomainError 404 */
export function correctLine(
  tenant: Tenant,
  id: TranscriptLineId,
  text: string,
): Promise<TranscriptLine> {
  return tenant.transaction(async (tx) => {
    const { callId, ...before } = await readLine(tx, id);
    if (before.text === text) return before;
    await tx.run(correct, [tenant.orgId, id, text, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'TRANSCRIPT_LINE_CORRECTED',
      entity: 'call',
      entityId: callId,
      metadata: { lineId: id },
    });
    const { callId: _, ...after } = await readLine(tx, id);
    return after;
  });
}

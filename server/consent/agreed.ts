import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { sql } from '#server/platform/drizzle.ts';

/**
 * Returns whether a capture of this kind is running in the call and the participant's newest answer about this kind
 * agrees to it. Nothing of a participant is stored while it is false.
 */
export async function mayCapture(
  at: TenantConnection,
  call: CallId,
  participant: ParticipantId,
  kind: CaptureKind,
): Promise<boolean> {
  const { rows } = await at.db.execute<{ may: boolean }>(sql`
    select exists (
      select from captures
      where org_id = ${at.tenant.orgId} and call_id = ${call} and kind = ${kind} and stopped_at is null
    ) and coalesce((
      select ${kind} = any (agreed) from consents
      where org_id = ${at.tenant.orgId} and participant_id = ${participant} and ${kind} = any (asked)
      order by id desc limit 1
    ), false) as may`);
  return rows[0]?.may ?? false;
}

import type { RecordedSegmentId } from '#domain/ids.ts';
import { notePeopleTogether } from '#server/consent/people-together.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { failSegment } from '../whole-file.ts';
import { type HostedPass, turnOf } from './hosted-pass.ts';
import type { HostedRow } from './hosted-rows.ts';
import { declinedSince, type RecordedRoom } from './people-of-room.ts';

/** Why a recording ends, which decides what of it is kept. */
export type StopReason =
  | { kind: 'over' }
  /** Somebody declined, or came without having agreed, at this time. */
  | { kind: 'dissent'; at: Date | null }
  /** Nobody knows what was recorded, if anything. */
  | { kind: 'failed'; error: string };

/** What follows an answer is not kept, however long the pass before this one took. */
export function reasonToStop(
  { error, requestedAt }: Pick<HostedRow, 'error' | 'requestedAt'>,
  wanted: RecordedRoom | null,
): StopReason {
  if (error !== null) return { kind: 'failed', error };
  if (!wanted?.people.some(({ agrees }) => agrees === false)) return { kind: 'over' };
  return { kind: 'dissent', at: declinedSince(wanted, requestedAt) };
}

/** The provider's times are whole seconds of its own clock, so this much before a dissent is left out, too. */
const marginSeconds = 2;
/** After which an unconfirmed stop is repeated. */
const repeatSeconds = 5;

// What the file has after `keep_until` is left out when it is joined.
const stop: Statement = {
  name: 'stop_hosted_recording',
  text: `with stopped as (
      update hosted_recordings set stopped_at = clock_timestamp(), error = $4,
        next_attempt_at = now() + interval '${repeatSeconds} seconds'
      where org_id = $1 and segment_id = $2 and stopped_at is null
      returning org_id, segment_id, stopped_at
    )
    update recorded_segments s set keep_until = case $3::text
        when 'dissent' then least(h.stopped_at, coalesce($5::timestamptz, h.stopped_at))
          - interval '${marginSeconds} seconds'
        else h.stopped_at end
    from stopped h where s.org_id = h.org_id and s.id = h.segment_id`,
};
// Where an event has made it due meanwhile, it stays due: its file may be ready.
const confirm: Statement = {
  name: 'confirm_stop_of_hosted_recording',
  text: `update hosted_recordings set stop_confirmed_at = now(), attempts = 0,
      next_attempt_at = case when next_attempt_at <= now() then next_attempt_at
        else now() + interval '30 seconds' end
    where org_id = $1 and segment_id = $2 and stop_confirmed_at is null`,
};
const fail: Statement = {
  name: 'stop_of_hosted_recording_failed',
  text: `update hosted_recordings set attempts = attempts + 1,
      next_attempt_at = now() + interval '${repeatSeconds} seconds'
    where org_id = $1 and segment_id = $2 and stop_confirmed_at is null`,
};

/** Ends a recording: what is recorded from then on is not kept, whether or not the provider answers. */
export async function stopHosted(
  pass: HostedPass,
  segmentId: RecordedSegmentId,
  reason: StopReason,
): Promise<void> {
  const { tenant } = pass;
  const error = reason.kind === 'failed' ? reason.error.slice(0, 500) : null;
  const at = reason.kind === 'dissent' ? reason.at : null;
  await tenant.connection(
    async (on) => {
      await on.run(stop, [tenant.orgId, segmentId, reason.kind, error, at]);
      await notePeopleTogether(on, segmentId);
    },
    { isUrgent: true },
  );
  if (error !== null) await tenant.transaction((tx) => failOnce(tx, segmentId, error));
  await stopAtProvider(pass, segmentId);
}

// One is enough to say that the recording has a gap.
const deleteFurther: Statement = {
  name: 'delete_further_failed_segment',
  text: `delete from recorded_segments s using recorded_media f
    where s.org_id = $1 and s.id = $2 and f.org_id = s.org_id and f.track_id = s.track_id
      and f.segment_id <> s.id and f.state = 'failed'`,
};

/** Notes in the call's recording that it failed. */
async function failOnce(tx: TenantConnection, segmentId: RecordedSegmentId, error: string) {
  await tx.run(deleteFurther, [tx.tenant.orgId, segmentId]);
  await failSegment(tx, segmentId, error);
}

/** Has the provider stop. A failure is repeated, and the call's people are told (tell-hosted.ts). */
export async function stopAtProvider(
  pass: HostedPass,
  segmentId: RecordedSegmentId,
): Promise<void> {
  const { recorder, room, services, tenant } = pass;
  const values = [tenant.orgId, segmentId];
  try {
    await recorder.stop(room, segmentId, turnOf(pass, 'ejection'));
    await tenant.connection(({ run }) => run(confirm, values));
  } catch (error) {
    services.log.error(
      { err: error, orgId: tenant.orgId, segmentId },
      'a recording of the hosted page was not stopped; this is tried again',
    );
    await tenant.connection(({ run }) => run(fail, values));
  }
}

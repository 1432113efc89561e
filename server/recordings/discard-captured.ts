import type { CallId, ParticipantId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const legalHold: Statement = {
  name: 'legal_hold_of_call',
  text: 'select 1 from legal_holds where org_id = $1 and call_id = $2',
};
const discardFiles: Statement = {
  name: 'discard_files_of_participant',
  text: `insert into discarded_files (file_key, org_id)
    select file.key, m.org_id from recorded_tracks t
    join recorded_media m on m.org_id = t.org_id and m.track_id = t.id
    cross join lateral (values (m.file_key), (m.poster_key)) as file (key)
    where t.org_id = $1 and t.call_id = $2 and t.participant_id = $3 and file.key is not null
    on conflict do nothing`,
};
const deleteTracks: Statement = {
  name: 'delete_tracks_of_participant',
  text: 'delete from recorded_tracks where org_id = $1 and call_id = $2 and participant_id = $3',
};
const deleteLines: Statement = {
  name: 'delete_lines_of_participant',
  text: 'delete from transcript_lines where org_id = $1 and call_id = $2 and participant_id = $3',
};

/**
 * Deletes what was captured of a participant in a call.
 * @returns `held` where a legal hold keeps it: nothing is deleted
 */
export async function discardCaptured(
  tx: TenantConnection,
  call: CallId,
  participant: ParticipantId,
): Promise<'discarded' | 'held'> {
  const { orgId } = tx.tenant;
  if ((await tx.run(legalHold, [orgId, call])).length > 0) return 'held';
  const values = [orgId, call, participant];
  await tx.run(discardFiles, values);
  await tx.run(deleteTracks, values);
  await tx.run(deleteLines, values);
  return 'discarded';
}

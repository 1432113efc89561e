import type { Statement } from '#server/platform/database.ts';
import { requireRoom } from '../room-left.ts';
import { egressKey } from '../segment-folder.ts';
import type { EgressRow } from './egress-rows.ts';
import { noteFailure, tellWhetherSaved } from './note-failure.ts';
import type { Pass } from './pass.ts';
import { stopAtMediaServer } from './stop-egress.ts';

/** A start whose answer got lost is looked for after this. */
const leaseSeconds = 30;
/** The media server says itself when a recording is over. It is asked in case that this got lost. */
export const askSeconds = 60;

// Whoever takes it first has it.
const take: Statement = {
  name: 'take_egress_to_start',
  text: `update recorded_egresses set attempts = attempts + 1,
      next_attempt_at = now() + interval '${leaseSeconds} seconds'
    where org_id = $1 and segment_id = $2 and egress_name is null and stopped_at is null
      and next_attempt_at <= now() returning attempts`,
};
const accept: Statement = {
  name: 'accept_egress',
  text: `update recorded_egresses set egress_name = $3, error = null,
      next_attempt_at = now() + interval '${askSeconds} seconds'
    where org_id = $1 and segment_id = $2 returning stopped_at is not null as "isStopped"`,
};
/** Has the media server record a track. A failure is shown to its person at once, and tried again. */
export async function startEgress(pass: Pass, row: EgressRow): Promise<void> {
  const { services, recorder, tenant, roomId } = pass;
  const { orgId } = tenant;
  const { segmentId, trackName } = row;
  const [taken] = await tenant.connection(({ run }) =>
    run<{ attempts: number }>(take, [orgId, segmentId]),
  );
  if (!taken) return;
  const room = { orgId, roomId, id: row.mediaRoomId };
  const key = egressKey(orgId, segmentId);
  try {
    await requireRoom(services, tenant);
    const isRepeated = taken.attempts > 1;
    const begun = isRepeated ? await recorder.reports({ room }) : [];
    const running = begun.find((report) => report.key === key && !report.isOver);
    const name = running?.name ?? (await recorder.start(room, trackName, key));
    const [accepted] = await tenant.connection(({ run }) =>
      run<{ isStopped: boolean }>(accept, [orgId, segmentId, name]),
    );
    // Withdrawn, or deleted, while it began.
    if (!accepted || accepted.isStopped) await stopAtMediaServer(pass, row, name);
    else if (isRepeated) tellWhetherSaved(services.bus, { ...row, roomId }, false);
  } catch (error) {
    services.log.warn(
      { err: error, orgId, segmentId },
      'a track is not recorded by the media server',
    );
    const reason = error instanceof Error ? error.message : 'It could not be recorded.';
    await noteFailure(services, tenant, { ...row, roomId }, reason);
  }
}

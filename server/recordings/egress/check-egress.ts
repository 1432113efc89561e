import type { Statement } from '#server/platform/database.ts';
import { egressKey } from '../segment-folder.ts';
import type { EgressRow } from './egress-rows.ts';
import type { Pass } from './pass.ts';
import { askSeconds, startEgress } from './start-egress.ts';
import { stopAtMediaServer } from './stop-egress.ts';
import { takeOver } from './take-over.ts';

const askAgain: Statement = {
  name: 'ask_about_egress_again',
  text: `update recorded_egresses set egress_name = $3, next_attempt_at = now() + $4 * interval '1 second'
    where org_id = $1 and segment_id = $2`,
};
const stoppedSeconds = 10;

/** Starts what was not accepted, repeats a stop, and finds out about what the media server has not told us. */
export async function checkEgress(pass: Pass, row: EgressRow): Promise<void> {
  const { recorder, tenant, services, roomId } = pass;
  const { segmentId, egressName, isStopped, mediaRoomId } = row;
  if (!egressName && !isStopped) {
    await startEgress(pass, row);
    return;
  }
  const { orgId } = tenant;
  const key = egressKey(orgId, segmentId);
  const room = { orgId, roomId, id: mediaRoomId };
  const reports = await recorder.reports(egressName ? { name: egressName } : { room });
  const report = reports.find((one) => one.key === key && (!one.isOver || egressName !== null));
  if (!report) {
    const error = egressName === null ? null : 'LiveKit no longer knows this recording.';
    await takeOver(services, orgId, {
      name: egressName ?? '',
      key,
      isOver: true,
      file: null,
      error,
    });
  } else if (report.isOver) {
    await takeOver(services, orgId, report);
  } else {
    if (isStopped) await stopAtMediaServer(pass, row, report.name);
    const seconds = isStopped ? stoppedSeconds : askSeconds;
    await tenant.connection(({ run }) => run(askAgain, [orgId, segmentId, report.name, seconds]));
  }
}

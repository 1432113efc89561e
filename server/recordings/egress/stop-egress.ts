import type { Statement } from '#server/platform/database.ts';
import type { EgressRow } from './egress-rows.ts';
import type { Pass } from './pass.ts';

/** If the media server has not said by then that it is over, it is asked. */
const overWithinSeconds = 10;

// What the file has after this moment is left out when it is joined.
const stop: Statement = {
  name: 'stop_egress',
  text: `with stopped as (
      update recorded_egresses set stopped_at = clock_timestamp(),
        next_attempt_at = greatest(now() + interval '${overWithinSeconds} seconds',
          case when egress_name is null then next_attempt_at end)
      where org_id = $1 and segment_id = $2 and stopped_at is null
      returning org_id, segment_id, stopped_at, egress_name
    ), kept as (
      update recorded_segments s set keep_until = e.stopped_at from stopped e
      where s.org_id = e.org_id and s.id = e.segment_id
    )
    select egress_name as "egressName" from stopped`,
};

/** Ends a recording: its person has withdrawn or left, or the call is no longer recorded. */
export async function stopEgress(pass: Pass, row: EgressRow): Promise<void> {
  const { tenant } = pass;
  const [stopped] = await tenant.connection(({ run }) =>
    run<{ egressName: string | null }>(stop, [tenant.orgId, row.segmentId]),
  );
  // One that begins just now is stopped by who began it.
  if (stopped?.egressName) await stopAtMediaServer(pass, row, stopped.egressName);
}

/** A failure is repeated after some seconds (check-egress.ts). */
export async function stopAtMediaServer(
  { recorder, services, tenant }: Pass,
  { segmentId }: EgressRow,
  name: string,
): Promise<void> {
  await recorder.stop(name).catch((error) => {
    services.log.warn(
      { err: error, orgId: tenant.orgId, segmentId },
      'a recording of the media server was not stopped',
    );
  });
}

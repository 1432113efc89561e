import type { Statement } from '#server/platform/database.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { clearTemporary, joinSegment, type SegmentToJoin } from './join-segment.ts';

/** A recording can be played a few seconds after its last part. */
const everySeconds = 5;
const batchSize = 20;

const due: Statement = {
  name: 'segments_to_join',
  text: 'select org_id as "orgId", segment_id as "segmentId" from segments_to_join($1)',
};

/**
 * Joins the segments that are due, one after the other: each takes a core. Then measures the loudness of long ones,
 * which takes longer.
 * @returns their number
 */
export async function joinDue(
  services: Services,
  signal: AbortSignal = new AbortController().signal,
  mostMeasuredBytes?: number,
): Promise<number> {
  const segments = await services.database.connection('outside', ({ run }) =>
    run<SegmentToJoin & Record<string, unknown>>(due, [batchSize]),
  );
  const rest: (() => Promise<void>)[] = [];
  for (const segment of segments) {
    if (signal.aborted) break;
    const measure = await joinSegment(services, segment, signal, mostMeasuredBytes);
    if (measure) rest.push(measure);
  }
  for (const measure of rest) await measure();
  return segments.length;
}

/** Joins what is due until it is stopped, which ends the current join. It is tried again after the next start. */
export async function startJoining(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const stopping = new AbortController();
  const failed = 'recordings to join could not be looked for';
  const joining = repeat({ everySeconds, log: services.log, failed }, () =>
    joinDue(services, stopping.signal),
  );
  return {
    stop: () => {
      stopping.abort();
      return joining.stop();
    },
  };
}

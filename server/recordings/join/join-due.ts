import type { Statement } from '#server/platform/database.ts';
import { FilesInTurn, workInTurn, workOnDue } from '#server/platform/files-in-turn.ts';
import type { Repeated } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { clearTemporary, joinSegment, type SegmentToJoin } from './join-segment.ts';

/** A recording can be played a few seconds after its last part. */
const everySeconds = 5;
/** An hour takes four seconds of a core. */
const slowMs = 60_000;

const due: Statement = {
  name: 'segments_to_join',
  text: 'select org_id as "orgId", segment_id as "segmentId" from segments_to_join($1, $2)',
};

/** Joins segments and, behind the joins that wait, measures their loudness, which takes longer. */
export class Joining extends FilesInTurn<SegmentToJoin> {
  constructor(services: Services, join: typeof joinSegment = joinSegment) {
    super({
      log: services.log,
      idOf: ({ segmentId }) => segmentId,
      find: (ofOrganization, inAll) =>
        services.database.background(({ run }) =>
          run<SegmentToJoin & Record<string, unknown>>(due, [ofOrganization, inAll]),
        ),
      begin: (segment, signal) => join(services, segment, signal),
      slowMs,
      failed: 'a recording was not joined',
    });
  }
}

/** Joins the segments that are due. @returns their number */
export const joinDue = (services: Services): Promise<number> => workOnDue(new Joining(services));

/** Joins what is due until it is stopped. */
export async function startJoining(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const failed = 'recordings to join could not be looked for';
  return workInTurn(new Joining(services), { everySeconds, log: services.log, failed });
}

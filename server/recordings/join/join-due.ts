import type { OrgId, RecordedSegmentId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { clearTemporary, joinSegment, type SegmentToJoin } from './join-segment.ts';

/** A recording can be played a few seconds after its last part. */
const everySeconds = 5;
/** Each takes a core, behind the calls, and up to 320 MB. An organization has one. */
const joinsAtOnce = 2;
/** An hour takes four seconds of a core. Organizations whose joins take longer share one place, behind the others. */
const slowMs = 60_000;

const due: Statement = {
  name: 'segments_to_join',
  text: 'select org_id as "orgId", segment_id as "segmentId" from segments_to_join($1, $2)',
};
/** Of an organization at a time, with those that wait. */
const ofOrganization = 20;
const inAll = 200;

/** Joins segments, so that no organization waits for the files of another one. */
export class Joining {
  readonly #services: Services;
  readonly #join: typeof joinSegment;
  readonly #queue = new FairQueue({ atOnce: joinsAtOnce, perKey: 1, mostWaiting: ofOrganization });
  readonly #joining = new Map<RecordedSegmentId, { orgId: OrgId; joined: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(services: Services, join = joinSegment) {
    this.#services = services;
    this.#join = join;
  }

  /** Begins to join what is due, and is not being joined already. @returns the joins that it began */
  async begin(): Promise<Promise<void>[]> {
    const segments = await this.#services.database.connection('outside', ({ run }) =>
      run<SegmentToJoin & Record<string, unknown>>(due, [ofOrganization, inAll]),
    );
    return segments.flatMap((segment) => {
      const { segmentId, orgId } = segment;
      if (this.#joining.has(segmentId) || this.#isFull(orgId)) return [];
      const joined = this.#joinOne(segment)
        .catch((err) => this.#services.log.error({ err, orgId }, 'a recording was not joined'))
        .finally(() => this.#joining.delete(segmentId));
      this.#joining.set(segmentId, { orgId, joined });
      return [joined];
    });
  }

  /** Ends the current joins. They are tried again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#joining.values()].map(({ joined }) => joined));
  }

  #isFull(orgId: OrgId): boolean {
    const joining = [...this.#joining.values()].filter((one) => one.orgId === orgId);
    return joining.length >= ofOrganization;
  }

  /** Joins it and, behind the joins that wait, measures its loudness, which takes longer. */
  async #joinOne(segment: SegmentToJoin): Promise<void> {
    const { signal } = this.#stopping;
    const measure = await this.#inTurn(segment.orgId, async () =>
      signal.aborted ? null : this.#join(this.#services, segment, signal),
    );
    // Once it is stopped, this only deletes temporary files.
    if (measure) await this.#inTurn(segment.orgId, measure);
  }

  #inTurn<T>(orgId: OrgId, task: () => Promise<T>): Promise<T> {
    return this.#queue.run(orgId, async () => {
      const startedAt = performance.now();
      const done = await task();
      if (performance.now() - startedAt > slowMs) this.#queue.overran(orgId);
      return done;
    });
  }
}

/** Joins the segments that are due. @returns their number */
export async function joinDue(services: Services): Promise<number> {
  const joins = await new Joining(services).begin();
  await Promise.all(joins);
  return joins.length;
}

/** Joins what is due until it is stopped. */
export async function startJoining(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const joining = new Joining(services);
  const failed = 'recordings to join could not be looked for';
  const looking = repeat({ everySeconds, log: services.log, failed }, () => joining.begin());
  return {
    stop: async () => {
      await looking.stop();
      await joining.stop();
    },
  };
}

import { type OrgId, orgId, type ParticipantId, type RecordedSegmentId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { Batches } from '#server/platform/batches.ts';
import type { Database, Statement } from '#server/platform/database.ts';

/** Parts of one organization whose rows share a statement and its commit. */
const mostAtOnce = 64;

/** A newer answer than the segment counts: what the participant has not sent yet is thrown away. */
export const withdrawn = (segment: string, participant = '$4') => `exists (select from consents c
  where c.org_id = $1 and c.participant_id = ${participant} and c.id > ${segment}
    and 'recording' = any (c.asked) and not 'recording' = any (c.agreed))`;

/**
 * Of a track `t`: its participant was removed from the call or the organization, and has had ten minutes to send what
 * was recorded before.
 */
const wasSentOut = `exists (select from attendances a
  where a.org_id = t.org_id and a.call_id = t.call_id and a.id = t.participant_id
    and a.left_at < now() - interval '10 minutes'
    and (exists (select from call_removals x where x.call_id = a.call_id and x.participant_id = a.id)
      or a.account_id is not null and not exists (select from memberships m
        where m.org_id = a.org_id and m.account_id = a.account_id)))`;

/** What the database knows before a part's bytes are stored. */
export interface Admission {
  isWithdrawn: boolean;
  isOver: boolean;
  /** Of the part that is already stored under this number. */
  sha256: Buffer | null;
  /** Of the participant, so far. */
  bytes: number;
}
export interface PartName {
  segmentId: RecordedSegmentId;
  participantId: ParticipantId;
  number: number;
}
export interface StoredPartRow extends PartName {
  sizeBytes: number;
  sha256: Buffer;
  key: string;
  position: number;
}

const admitParts: Statement = {
  name: 'admit_recorded_parts',
  text: `select i.at::int, ${withdrawn('s.id', 'i.participant_id')} as "isWithdrawn",
      s.parts_deleted_at is not null or ${wasSentOut} as "isOver", p.sha256,
      (select coalesce(sum(x.size_bytes), 0) from recorded_tracks o
        join recorded_segments x on x.org_id = o.org_id and x.track_id = o.id
        where o.org_id = t.org_id and o.call_id = t.call_id and o.participant_id = t.participant_id
      )::float8 as bytes
    from unnest($2::uuid[], $3::uuid[], $4::int[]) with ordinality i (segment_id, participant_id, number, at)
    join recorded_segments s on s.org_id = $1 and s.id = i.segment_id
    join recorded_tracks t on t.org_id = s.org_id and t.id = s.track_id and t.participant_id = i.participant_id
    left join recorded_parts p on p.segment_id = s.id and p.number = i.number`,
};

// Each batch locks its segments in the same order.
const insertParts: Statement = {
  name: 'insert_recorded_parts',
  text: `with items as (
      select * from unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::bytea[], $7::text[], $8::bigint[])
        with ordinality i (segment_id, participant_id, number, size_bytes, sha256, file_key, position, at)
    ), segment as (
      select s.id, s.completed_at from recorded_segments s
      where s.org_id = $1 and s.id = any ($2::uuid[]) and s.parts_deleted_at is null
      order by s.id for no key update
    ), added as (
      insert into recorded_parts (org_id, segment_id, number, size_bytes, sha256, file_key, position)
      select $1, s.id, i.number, i.size_bytes, i.sha256, i.file_key, i.position
      from items i join segment s on s.id = i.segment_id where not ${withdrawn('s.id', 'i.participant_id')}
      on conflict do nothing returning segment_id, size_bytes, file_key, position
    ), counted as (
      update recorded_segments s set size_bytes = s.size_bytes + a.bytes,
        stored_parts = s.stored_parts + a.parts, last_part_at = now()
      from (select segment_id, sum(size_bytes) as bytes, count(*)::int as parts from added group by 1) a
      where s.org_id = $1 and s.id = a.segment_id
    ), joined_again as (
      update recorded_media m set state = 'waiting', attempts = 0, error = null, next_attempt_at = now()
      where m.org_id = $1 and m.segment_id in (select segment_id from added)
        and (m.state <> 'waiting' or m.attempts = 0 and exists (
          select from segment s where s.id = m.segment_id and s.completed_at is not null))
    )
    select i.at::int from added a join items i using (segment_id, file_key, position)`,
};

/** Reads and adds the rows of recorded parts, those of one organization together. */
export class PartRows {
  readonly #admissions: Batches<PartName, Admission | null>;
  readonly #additions: Batches<StoredPartRow, boolean>;

  constructor(database: Database) {
    const run = <Row extends { at: number }>(statement: Statement, org: OrgId, values: unknown[]) =>
      tenantOf(database, { kind: 'system', name: 'recorded-parts', orgId: org }, null).connection(
        (at) => at.run<Row & Record<string, unknown>>(statement, [org, ...values]),
      );
    this.#admissions = new Batches<PartName, Admission | null>(mostAtOnce, async (org, parts) => {
      const rows = await run<Admission & { at: number }>(
        admitParts,
        orgId.parse(org),
        names(parts),
      );
      const known = new Map(rows.map((row) => [row.at, row]));
      return parts.map((_, index) => known.get(index + 1) ?? null);
    });
    this.#additions = new Batches(mostAtOnce, async (org, parts) => {
      const rows = await run(insertParts, orgId.parse(org), [
        ...names(parts),
        parts.map(({ sizeBytes }) => sizeBytes),
        parts.map(({ sha256 }) => sha256),
        parts.map(({ key }) => key),
        parts.map(({ position }) => position),
      ]);
      const added = new Set(rows.map(({ at }) => at));
      return parts.map((_, index) => added.has(index + 1));
    });
  }

  /** Returns null for a segment that there is not, or of another participant. */
  admission(org: OrgId, part: PartName): Promise<Admission | null> {
    return this.#admissions.add(org, part);
  }

  /** Adds the row unless it is there, the participant has withdrawn, or the segment takes no more. @returns whether */
  add(org: OrgId, part: StoredPartRow): Promise<boolean> {
    return this.#additions.add(org, part);
  }
}

const names = (parts: readonly PartName[]) => [
  parts.map(({ segmentId }) => segmentId),
  parts.map(({ participantId }) => participantId),
  parts.map(({ number }) => number),
];

import type { CallId } from '#domain/ids.ts';
import type { RecordingStorage } from '#domain/recordings/contract.ts';
import type { Config } from '#server/config.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { usedBytes } from './room-left.ts';

const summary: Statement = {
  name: 'recording_storage',
  text: `select (select count(distinct call_id) from recorded_tracks where org_id = $1)::int as "recordedCalls",
    (select days from retention_rules where org_id = $1 and kind = 'recordings') as "retentionDays"`,
};
const holds: Statement = {
  name: 'legal_holds',
  text: `select h.call_id as "callId", r.topic as room, c.started_at as "startedAt", h.reason,
      h.placed_at as "placedAt"
    from legal_holds h join calls c on c.id = h.call_id join rooms r on r.id = c.room_id
    where h.org_id = $1 order by h.placed_at desc limit 100`,
};

interface HoldRow {
  callId: CallId;
  room: string;
  startedAt: Date;
  reason: string;
  placedAt: Date;
}

/** Returns what the organization's recordings use, and the calls that are under legal hold. */
export async function readRecordingStorage(
  tenant: Tenant,
  config: Config,
): Promise<RecordingStorage> {
  return tenant.sharedRead(['recording-storage'], async (at) => {
    const { run } = at;
    const used = await usedBytes(at);
    const [row] = await run<{ recordedCalls: number; retentionDays: number | null }>(summary, [
      tenant.orgId,
    ]);
    const held = await run<HoldRow & Record<string, unknown>>(holds, [tenant.orgId]);
    return {
      usedBytes: used,
      mostBytes: config.RECORDINGS_MOST_GB === 0 ? null : config.RECORDINGS_MOST_GB * 1024 ** 3,
      recordedCalls: row?.recordedCalls ?? 0,
      retentionDays: row?.retentionDays ?? null,
      holds: held.map(({ startedAt, placedAt, ...hold }) => ({
        ...hold,
        startedAt: startedAt.toISOString(),
        placedAt: placedAt.toISOString(),
      })),
    };
  });
}

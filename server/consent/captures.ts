import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CaptureState } from '#domain/consent/live.ts';
import { DomainError } from '#domain/errors.ts';
import { type CallId, captureId, type OrgId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import {
  actingAccount,
  type Tenant,
  type TenantConnection,
  tenantOf,
} from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type CaptureMeans, kindsWith } from './capture-means.ts';
import { effectiveModes, type RoomModes } from './capture-settings.ts';

// The clock is read while the call is locked, so that a later change never has an earlier time.
const lockRunning: Statement = {
  name: 'lock_call_of_capture',
  text: 'select 1 from calls where org_id = $1 and id = $2 and ended_at is null for no key update',
};
const start: Statement = {
  name: 'start_capture',
  text: `insert into captures (id, org_id, call_id, kind, started_by, started_at)
    values ($1, $2, $3, $4, $5, clock_timestamp())
    on conflict (org_id, call_id, kind) where stopped_at is null do nothing returning id`,
};
const stop: Statement = {
  name: 'stop_capture',
  text: `update captures set stopped_at = greatest(started_at, clock_timestamp()), stopped_by = $4
    where org_id = $1 and call_id = $2 and kind = $3 and stopped_at is null returning id`,
};
const stopAll: Statement = {
  name: 'stop_captures_of_call',
  text: `update captures set stopped_at = greatest(started_at, $3::timestamptz)
    where org_id = $1 and call_id = $2 and stopped_at is null`,
};
const everStarted: Statement = {
  name: 'kinds_ever_captured',
  text: 'select distinct kind from captures where org_id = $1 and call_id = $2',
};

/** SQL for what is captured of a call now, as JSON; null if nothing ever was. */
export const stateOfCall = (org: string, call: string) =>
  `(select case when count(*) > 0 then json_build_object(
      'changedAt', max(greatest(k.started_at, k.stopped_at)),
      'running', coalesce(json_agg(json_build_object('kind', k.kind, 'startedAt', k.started_at)
        order by k.started_at) filter (where k.stopped_at is null), '[]'),
      'had', json_agg(distinct k.kind)) end
    from captures k where k.org_id = ${org} and k.call_id = ${call})`;

const readStateStatement: Statement = {
  name: 'state_of_captures',
  text: `select ${stateOfCall('$1', '$2')} as state`,
};

/** A state as the database answers it. */
export type StoredCaptures = CaptureState & { had: CaptureKind[] };

/** Returns the state with times as pages read them. */
export const shownCaptures = ({ changedAt, running }: StoredCaptures): CaptureState => ({
  changedAt: new Date(changedAt).toISOString(),
  running: running.map(({ kind, startedAt }) => ({
    kind,
    startedAt: new Date(startedAt).toISOString(),
  })),
});

async function readState(tx: TenantConnection, call: CallId): Promise<CaptureState> {
  const [row] = await tx.run<{ state: StoredCaptures | null }>(readStateStatement, [
    tx.tenant.orgId,
    call,
  ]);
  return row?.state
    ? shownCaptures(row.state)
    : { changedAt: new Date(0).toISOString(), running: [] };
}

interface Switched {
  state: CaptureState;
  hasChanged: boolean;
}

/**
 * Starts or stops a capture of a running call. Doing it again changes nothing.
 * @throws DomainError 409 where this kind is off or cannot be captured, or the call has ended
 */
export function switchCapture(
  tenant: Tenant,
  { callId, roomId }: { callId: CallId; roomId: RoomId },
  { kind, running }: { kind: CaptureKind; running: boolean },
  means: CaptureMeans,
): Promise<Switched> {
  const { orgId } = tenant;
  const account = actingAccount(tenant);
  return tenant.transaction(async (tx) => {
    if (running) {
      const modes = await effectiveModes(tx, roomId);
      if (!modes[kind] || !kindsWith(modes, means).includes(kind)) throw captureIsOff();
    }
    if ((await tx.run(lockRunning, [orgId, callId])).length === 0) throw callIsOver();
    const changed = running
      ? await tx.run(start, [newId(captureId), orgId, callId, kind, account])
      : await tx.run(stop, [orgId, callId, kind, account]);
    const hasChanged = changed.length > 0;
    if (hasChanged) await recordSwitch(tx, callId, kind, running);
    return { state: await readState(tx, callId), hasChanged };
  });
}

/**
 * Starts what the room's settings start with each call, once in a call: what was stopped stays stopped.
 * @returns the state if that changed anything, else null
 */
export function startWithCall(
  database: Database,
  orgId: OrgId,
  { callId, roomId }: { callId: CallId; roomId: RoomId },
  means: CaptureMeans,
): Promise<CaptureState | null> {
  const tenant = tenantOf(database, { kind: 'system', name: 'start-captures', orgId }, null);
  return tenant.transaction(async (tx) => {
    const modes = await effectiveModes(tx, roomId);
    if ((await tx.run(lockRunning, [orgId, callId])).length === 0) return null;
    const had = await tx.run<{ kind: CaptureKind }>(everStarted, [orgId, callId]);
    const due = kindsThatStart(
      modes,
      had.map(({ kind }) => kind),
      kindsWith(modes, means),
    );
    for (const kind of due) {
      await tx.run(start, [newId(captureId), orgId, callId, kind, null]);
      await recordSwitch(tx, callId, kind, true);
    }
    return due.length > 0 ? readState(tx, callId) : null;
  });
}

/** Returns the kinds that start with the call and have not been started in it. */
export const kindsThatStart = (
  modes: RoomModes,
  had: readonly CaptureKind[],
  kinds: readonly CaptureKind[],
): CaptureKind[] => kinds.filter((kind) => modes[kind] === 'start' && !had.includes(kind));

/** The captures of a call end with it. */
export const stopCaptures = (tx: TenantConnection, call: CallId, endedAt: Date) =>
  tx.run(stopAll, [tx.tenant.orgId, call, endedAt]);

const recordSwitch = (tx: TenantConnection, callId: CallId, kind: CaptureKind, running: boolean) =>
  recordEvent(tx, {
    action: running ? 'CAPTURE_STARTED' : 'CAPTURE_STOPPED',
    entity: 'call',
    entityId: callId,
    metadata: { kind },
  });

const captureIsOff = () =>
  new DomainError(
    'conflict',
    'capture_off',
    'This is switched off for this room. Switch it on in the room’s settings first.',
  );
const callIsOver = () =>
  new DomainError('conflict', 'no_call', 'No call is in progress in this room.');

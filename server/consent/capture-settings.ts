import { type CaptureKind, type CaptureMode, captureKinds } from '#domain/consent/capture.ts';
import type { OrganizationCapture, RoomCapture } from '#domain/consent/contract.ts';
import { notFound } from '#domain/errors.ts';
import type { RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

type Changes = { [K in CaptureKind]?: CaptureMode | null | undefined };
type Own = RoomCapture['own'];
/**
 * What a room's settings allow: kinds that are not off, and `browser`, of its organization: browsers may recognize
 * their participants' speech.
 */
export type RoomModes = { [K in CaptureKind | 'browser']?: Exclude<CaptureMode, 'off'> };

const readModes: Statement = {
  name: 'read_capture_modes',
  text: `select kind, mode, room_id is not null as "isRooms" from capture_settings
    where org_id = $1 and (room_id is null or room_id = $2) and kind <> 'browser'`,
};
const readBrowsers: Statement = {
  name: 'read_browser_recognition',
  text: `select exists (select from capture_settings
    where org_id = $1 and room_id is null and kind = 'browser' and mode = 'start') as may`,
};
const holdRoom: Statement = {
  name: 'hold_room_of_capture',
  text: 'select 1 from rooms where org_id = $1 and id = $2 for key share',
};
const setMode: Statement = {
  name: 'set_capture_mode',
  text: `insert into capture_settings (org_id, room_id, kind, mode, changed_by) values ($1, $2, $3, $4, $5)
    on conflict on constraint capture_settings_key
    do update set mode = excluded.mode, changed_by = excluded.changed_by, changed_at = now()`,
};
const forgetMode: Statement = {
  name: 'forget_capture_mode',
  text: `delete from capture_settings where org_id = $1 and room_id is not distinct from $2 and kind = $3`,
};

/** SQL for the kinds of a room that are not off, with their modes, as JSON; the room is named `r` in the query. */
export const modesOfRoom = `(select coalesce(json_object_agg(s.kind, s.mode) filter (where s.mode <> 'off'), '{}')
    from (select distinct on (kind) kind, mode from capture_settings
      where org_id = r.org_id and (room_id = r.id or room_id is null)
      order by kind, room_id nulls last) s)`;

const modeOfRoom: Statement = {
  name: 'capture_modes_of_room',
  text: `select ${modesOfRoom} as modes from rooms r where r.org_id = $1 and r.id = $2`,
};

/** Returns the kinds that may be captured in a room: its own modes, else its organization's. */
export async function effectiveModes(at: TenantConnection, room: RoomId): Promise<RoomModes> {
  const [row] = await at.run<{ modes: RoomModes }>(modeOfRoom, [at.tenant.orgId, room]);
  return row?.modes ?? {};
}

export async function readOrganizationCapture(at: TenantConnection): Promise<OrganizationCapture> {
  const { organization } = await readSettings(at, null);
  return { ...organization, browserRecognition: await allowsBrowsers(at) };
}

/** Whether browsers may recognize the speech of their participants. */
export async function allowsBrowsers(at: TenantConnection): Promise<boolean> {
  const [row] = await at.run<{ may: boolean }>(readBrowsers, [at.tenant.orgId]);
  return row?.may ?? false;
}

/** @throws DomainError 404 */
export async function readRoomCapture(at: TenantConnection, room: RoomId): Promise<RoomCapture> {
  if ((await at.run(holdRoom, [at.tenant.orgId, room])).length === 0) throw notFound();
  return readSettings(at, room);
}

async function readSettings(at: TenantConnection, room: RoomId | null): Promise<RoomCapture> {
  const rows = await at.run<{ kind: CaptureKind; mode: CaptureMode; isRooms: boolean }>(readModes, [
    at.tenant.orgId,
    room,
  ]);
  const settings: RoomCapture = {
    own: { recording: null, transcript: null, analysis: null },
    organization: { recording: 'off', transcript: 'off', analysis: 'off' },
  };
  for (const { kind, mode, isRooms } of rows)
    settings[isRooms ? 'own' : 'organization'][kind] = mode;
  return settings;
}

export function changeOrganizationCapture(
  tenant: Tenant,
  { browserRecognition, ...given }: Changes & { browserRecognition?: boolean | undefined },
): Promise<OrganizationCapture> {
  return tenant.transaction(async (tx) => {
    const before = await readOrganizationCapture(tx);
    await change(tx, null, before, given);
    if (browserRecognition !== undefined && browserRecognition !== before.browserRecognition) {
      await allowBrowsers(tx, browserRecognition);
    }
    return readOrganizationCapture(tx);
  });
}

async function allowBrowsers(tx: TenantConnection, may: boolean): Promise<void> {
  const { orgId } = tx.tenant;
  const mode = may ? 'start' : 'off';
  await tx.run(setMode, [orgId, null, 'browser', mode, actingAccount(tx.tenant)]);
  await recordEvent(tx, {
    action: 'CAPTURE_SETTINGS_UPDATED',
    entity: 'organization',
    entityId: orgId,
    metadata: { browserRecognition: may },
  });
}

/** @throws DomainError 404 */
export function changeRoomCapture(
  tenant: Tenant,
  room: RoomId,
  given: Changes,
): Promise<RoomCapture> {
  return tenant.transaction(async (tx) => {
    const { own } = await readRoomCapture(tx, room);
    await change(tx, room, own, given);
    return readRoomCapture(tx, room);
  });
}

/** The audit event lists the modes, because they are settings. */
async function change(
  tx: TenantConnection,
  room: RoomId | null,
  before: Own,
  given: Changes,
): Promise<void> {
  const { orgId } = tx.tenant;
  const changed = captureKinds.filter(
    (kind) => given[kind] !== undefined && given[kind] !== before[kind],
  );
  if (changed.length === 0) return;
  for (const kind of changed) {
    const mode = given[kind] ?? null;
    if (mode === null) await tx.run(forgetMode, [orgId, room, kind]);
    else await tx.run(setMode, [orgId, room, kind, mode, actingAccount(tx.tenant)]);
  }
  const modes = changed.map((kind) => [kind, { from: before[kind], to: given[kind] ?? null }]);
  await recordEvent(tx, {
    action: 'CAPTURE_SETTINGS_UPDATED',
    entity: room ? 'room' : 'organization',
    entityId: room ?? orgId,
    metadata: { modes: Object.fromEntries(modes) },
  });
}

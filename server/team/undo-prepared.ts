import { type CallId, greatestId, leastId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Ended, endCall } from '#server/calls/end-call.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Something that others may have prepared in an organization, and the change that undoes all of it. */
export interface Prepared {
  /** In the audit event. */
  name: string;
  undo: Statement;
}

const prepared = (name: string, change: string): Prepared => ({
  name,
  undo: {
    name: `undo_${name}`,
    text: `with undone as (${change} returning 1) select count(*)::int as count from undone`,
  },
});

export const preparedSettings: readonly Prepared[] = [
  prepared(
    'deletions',
    'delete from organization_deletions where org_id = $1 and begun_at is null',
  ),
  prepared('retentionRules', 'delete from retention_rules where org_id = $1'),
  prepared('embeddingOrigins', 'delete from embedding_origins where org_id = $1'),
  prepared('captureSettings', 'delete from capture_settings where org_id = $1'),
  prepared('recapSettings', 'delete from recap_settings where org_id = $1'),
  prepared(
    'analyzers',
    'update ai_settings set provider = null where org_id = $1 and provider is not null',
  ),
  // An identity provider or a directory of another admin would bring that person back.
  prepared(
    'ssoConnections',
    `update sso_connections set enabled_at = null, enabled_by = null
      where org_id = $1 and enabled_at is not null`,
  ),
  prepared(
    'ssoRequirements',
    `update sso_policies set required_at = null, required_by = null
      where org_id = $1 and required_at is not null`,
  ),
  prepared(
    'scimTokens',
    'update scim_tokens set revoked_at = now() where org_id = $1 and revoked_at is null',
  ),
  prepared(
    'apiTokens',
    'update api_tokens set revoked_at = now() where org_id = $1 and revoked_at is null',
  ),
  // They send what happens from now on to addresses and accounts that another admin chose. Slack channels are webhooks.
  prepared(
    'webhooks',
    `update webhook_endpoints set disabled_at = now(), disabled_reason = 'member'
      where org_id = $1 and disabled_at is null`,
  ),
  prepared(
    'crmConnections',
    `update crm_connections set attention_at = now(), attention_reason = 'revoked'
      where org_id = $1 and attention_at is null`,
  ),
];

/** The rooms with these ids: after the first one, or from the beginning, up to the last one, or to the end. */
export interface Rooms {
  after: RoomId | null;
  upTo: RoomId | null;
}
/** Of rooms that one statement changes. */
const mostRooms = 3000;
const ends: Statement = {
  name: 'ends_of_parts_of_rooms',
  text: `select id from (
      select id, row_number() over (order by id) as place from rooms where org_id = $1
    ) r where place % $2 = 0 order by id`,
};
// Archived rooms and those with an earlier lobby are updated, too: a room that others change right now is waited
// for. An admission is older than its lobby then, and counts no more.
const closeRooms: Statement = {
  name: 'undo_lobbies',
  text: `with part as (select id, lobby_at from rooms where org_id = $1
        and id > coalesce($2, '${leastId}'::uuid)
        and id <= coalesce($3, '${greatestId}'::uuid)
        and (lobby_at is null or $4::timestamptz is null or lobby_at < $4)),
      closed as (update rooms r set lobby_at = clock_timestamp() from part
        where r.org_id = $1 and r.id = part.id returning part.lobby_at)
    select count(*)::int as count from closed where lobby_at is null`,
};

const runningCalls: Statement = {
  name: 'running_calls_of_organization',
  text: `select id from calls where org_id = $1 and ended_at is null
    and created_at <= coalesce($2, 'infinity'::timestamptz)`,
};
const tellGuests: Statement = { name: 'tell_guests_of', text: 'select tell_guests_of($1)' };

/** There is more to undo than a request can wait for. */
export class TakesLonger extends Error {}

/**
 * Undoes what others may have prepared in an organization before the address of its only admin was verified: a
 * scheduled deletion, retention rules, websites that may embed it, what is captured of calls and which model reads
 * them, single sign-on, provisioning, API tokens, webhooks, Slack channels, and CRM connections. Turns the
 * lobby on in every room, and ends running calls and earlier admissions, because others may have guest links.
 * @param budgetMs after which it begins nothing else
 * @returns whether there was anything to undo
 * @throws TakesLonger
 */
export async function undoPrepared(tx: TenantConnection, budgetMs: number): Promise<boolean> {
  const endsAt = performance.now() + budgetMs;
  const within = () => {
    if (performance.now() > endsAt) throw new TakesLonger();
  };
  const undone: Record<string, number> = {};
  for (const setting of preparedSettings) {
    within();
    undone[setting.name] = await undo(tx, setting);
  }
  within();
  const [part, ...more] = await partsOfRooms(tx);
  if (more.length > 0) throw new TakesLonger();
  if (part) undone.lobbies = await close(tx, part, null);
  const calls = await callsBefore(tx, null);
  for (const id of calls) {
    within();
    await endCall(tx, id, { forEveryone: true });
  }
  await sendGuestsOut(tx);
  return record(tx, { ...undone, calls: calls.length });
}

/** Returns the rooms of the organization in parts for `undoRooms`. */
export async function partsOfRooms(
  { run, tenant }: TenantConnection,
  most = mostRooms,
): Promise<Rooms[]> {
  const found = await run<{ id: RoomId }>(ends, [tenant.orgId, most]);
  const cuts = [null, ...found.map(({ id }) => id), null];
  return cuts.slice(1).map((upTo, n) => ({ after: cuts[n] ?? null, upTo }));
}

/**
 * Turns the lobby on in these rooms, where that has not happened since `before`.
 * @throws as the database, where one of them is locked
 */
export async function undoRooms(tx: TenantConnection, rooms: Rooms, before: Date): Promise<void> {
  await record(tx, { lobbies: await close(tx, rooms, before) });
}

async function close({ run, tenant }: TenantConnection, rooms: Rooms, before: Date | null) {
  const values = [tenant.orgId, rooms.after, rooms.upTo, before];
  const [closed] = await run<{ count: number }>(closeRooms, values);
  return closed?.count ?? 0;
}

/** Undoes one thing, with its own audit event. */
export async function undoOne(tx: TenantConnection, setting: Prepared): Promise<void> {
  await record(tx, { [setting.name]: await undo(tx, setting) });
}

/** Ends one running call for everyone. */
export async function undoCall(tx: TenantConnection, id: CallId): Promise<Ended> {
  const ended = await endCall(tx, id, { forEveryone: true });
  await record(tx, { calls: ended.callEndedAt ? 1 : 0 });
  return ended;
}

/** Returns the running calls of the organization; with `before`, those that were created until then. */
export async function callsBefore(
  { run, tenant }: TenantConnection,
  before: Date | null,
): Promise<CallId[]> {
  const calls = await run<{ id: CallId }>(runningCalls, [tenant.orgId, before]);
  return calls.map(({ id }) => id);
}

/** Has the guests of the organization looked up at the commit. */
export async function sendGuestsOut({ run, tenant }: TenantConnection): Promise<void> {
  await run(tellGuests, [tenant.orgId]);
}

async function undo({ run, tenant }: TenantConnection, setting: Prepared): Promise<number> {
  const [undone] = await run<{ count: number }>(setting.undo, [tenant.orgId]);
  return undone?.count ?? 0;
}

/** @returns whether anything was undone */
async function record(tx: TenantConnection, undone: Record<string, number>): Promise<boolean> {
  if (!Object.values(undone).some((count) => count > 0)) return false;
  await recordEvent(tx, {
    action: 'PREPARED_SETTINGS_UNDONE',
    entity: 'organization',
    entityId: tx.tenant.orgId,
    metadata: undone,
  });
  return true;
}

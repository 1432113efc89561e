import { type Call, type ListedCall, mostAttendances } from '#domain/calls/contract.ts';
import { notFound } from '#domain/errors.ts';
import { type CallId, type ChecklistItemId, greatestId, type RoomId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { rowsWithin } from '#server/platform/paging.ts';
import { startOfJson } from './start-of-json.ts';

interface CallRow {
  id: CallId;
  room_id: RoomId;
  topic: string;
  started_at: Date;
  ended_at: Date | null;
  duration_sec: number | null;
  notes_snapshot: string | null;
  created_at: Date;
  items: { id: ChecklistItemId; text: string; order: number; checked: boolean }[] | null;
  participants: Call['participantsJson'] | null;
  internal: boolean;
  is_sample: boolean;
  score: number | null;
  feedback: string | null;
  agent: Call['agent'];
}

/** Who started the call `c`, as `Call['agent']`; null once their words were erased. */
export const agentOfCall = `(select json_build_object('id', a.id, 'name', concat_ws(' ', nullif(a.first_name, ''), nullif(a.last_name, '')))
       from known_people a where a.id = c.started_by and not exists (
         select from erased_people p
         where p.org_id = c.org_id and p.account_id = a.id and p.erased_at >= c.created_at))`;

/** Bytes of notes within a list, as JSON with its quotes. */
const mostNotesBytes = 16_000;
/**
 * @param chosen selects the calls before anything is joined to them. PostgreSQL's plan for any organization would
 * otherwise read all calls of a large one.
 */
const selectCalls = (notes: string, chosen: string) => `
  select c.id, c.room_id, r.topic, c.started_at, c.ended_at, c.duration_sec,
    ${notes} as notes_snapshot,
    c.created_at, rating.score, rating.feedback,
    ${agentOfCall} as agent,
    (select json_agg(json_build_object('id', i.item_id, 'text', i.text, 'order', i.position,
        'checked', i.checked_at is not null) order by i.position)
       from call_checklist_items i where i.call_id = c.id) as items,
    (select json_agg(json_build_object('name', person.name, 'avatar', person.avatar)
        order by person.joined_at)
       from (
         select distinct on (coalesce(t.account_id, t.id)) t.name, t.joined_at,
           a.profile_image_url as avatar
         from (select * from attendances
           where call_id = c.id order by joined_at limit ${mostAttendances}) t
         left join known_people a on a.id = t.account_id
         order by coalesce(t.account_id, t.id), t.joined_at
       ) person) as participants,
    c.ended_at is not null and c.attendance_known and
      not exists (select from attendances t where t.call_id = c.id and t.kind = 'guest') and
      (c.opened_at is not null or exists (select from attendances t where t.call_id = c.id)) as internal,
    r.sample_set_id is not null as is_sample
  from (${chosen}) c
  join rooms r on r.id = c.room_id
  left join lateral (
    select score, feedback from ratings
    where call_id = c.id and kind = 'staff' order by updated_at desc limit 1
  ) rating on true
  order by c.id desc`;

/** `item_bytes`: of its items' texts. `text_bytes`: of its notes and feedback in the page, where a character may take six. */
interface PlaceOnPage {
  id: CallId;
  items: number;
  item_bytes: number;
  attendances: number;
  text_bytes: number;
}

/** 200 calls with the longest checklists would be 40,000 items of 80 MB. */
const mostBytes = { item_bytes: 1_000_000, text_bytes: 1_500_000 };
const mostOnPage = { items: 2_000, attendances: 5_000, ...mostBytes };

const selectPlaces = (chosen: string) => `select c.id, i.items, i.item_bytes,
      (select count(*)::integer
       from (select from attendances where call_id = c.id limit ${mostAttendances}) t) as attendances,
      (select case when octet_length(n.notes_snapshot) > ${mostNotesBytes} then ${mostNotesBytes}
          else coalesce(least(octet_length(to_json(n.notes_snapshot)::text), ${mostNotesBytes}), 0) end
        from calls n where n.id = c.id)
        + coalesce((select octet_length(to_json(feedback)::text) from ratings
          where call_id = c.id and kind = 'staff' order by updated_at desc limit 1), 0) as text_bytes
    from ${chosen} c
    cross join lateral (
      select count(*)::integer as items,
        coalesce(sum(octet_length(i.text)), 0)::integer as item_bytes
      from call_checklist_items i where i.call_id = c.id
    ) i`;
const pageOf = (name: string, condition: string): Statement => ({
  name,
  text: `${selectPlaces(
    `(select id from calls where ${condition} and id < $2 order by id desc limit $3)`,
  )} order by c.id desc`,
});
const placesById: Statement = {
  name: 'places_of_calls_by_id',
  text: `${selectPlaces('(select id, at from unnest($1::uuid[]) with ordinality as given (id, at))')} order by c.at`,
};
const pageOfCalls = pageOf('page_of_calls', 'org_id = $1');
const pageOfRoom = pageOf('page_of_calls_of_room', 'org_id = $1 and room_id = $4');
const callsById: Statement = {
  name: 'calls_by_id',
  text: selectCalls(
    `left(c.notes_snapshot, ${mostNotesBytes})`,
    // PostgreSQL 15 and 16 would read all calls of each room for `id = any ($2)`.
    `select found.* from unnest($2::uuid[]) chosen (id)
      cross join lateral (select * from calls where org_id = $1 and id = chosen.id limit 1) found`,
  ),
};
const callById: Statement = {
  name: 'call_by_id',
  text: selectCalls('c.notes_snapshot', 'select * from calls where org_id = $1 and id = $2'),
};
const callWithoutNotes: Statement = {
  name: 'call_without_notes',
  text: selectCalls('null::text', 'select * from calls where org_id = $1 and id = $2'),
};
const callWithStartOfNotes: Statement = {
  name: 'call_with_start_of_notes',
  text: selectCalls(
    'left(c.notes_snapshot, $3)',
    'select * from calls where org_id = $1 and id = $2',
  ),
};
const callExists: Statement = {
  name: 'call_exists',
  text: 'select 1 from calls where org_id = $1 and id = $2',
};
const callRoom: Statement = {
  name: 'room_of_call',
  text: 'select room_id as "roomId" from calls where org_id = $1 and id = $2',
};
const endOfNotes: Statement = {
  name: 'end_of_notes',
  text: 'select right(notes_snapshot, $3) as notes from calls where org_id = $1 and id = $2',
};
const itemsOfCall: Statement = {
  name: 'items_of_call',
  text: `select array(select i.item_id::text from call_checklist_items i where i.call_id = c.id) as items
    from calls c where c.org_id = $1 and c.id = $2`,
};

/**
 * Returns calls, newest first, each with the beginning of its notes. `isCut`: the page is shorter than
 * requested, and more follow.
 */
export async function listCalls(
  tenant: Tenant,
  page: PageQuery & { roomId?: RoomId | undefined },
): Promise<{ page: ListedCall[]; isCut: boolean }> {
  const { before, roomId, limit } = page;
  const values = [tenant.orgId, before ?? greatestId, limit];
  return tenant.connection(async ({ run }) => {
    const found = roomId
      ? await run<PlaceOnPage>(pageOfRoom, [...values, roomId])
      : await run<PlaceOnPage>(pageOfCalls, values);
    return pageFrom(run, tenant, found);
  });
}

/**
 * Returns the calls with these ids, in their order, each with the beginning of its notes. `isCut`: there are fewer,
 * because the page would be too large.
 */
export function listCallsById(
  tenant: Tenant,
  ids: readonly CallId[],
): Promise<{ page: ListedCall[]; isCut: boolean }> {
  return tenant.connection(async ({ run }) => {
    const found = await run<PlaceOnPage>(placesById, [ids]);
    return pageFrom(run, tenant, found);
  });
}

async function pageFrom(
  run: TenantConnection['run'],
  tenant: Tenant,
  found: readonly PlaceOnPage[],
): Promise<{ page: ListedCall[]; isCut: boolean }> {
  const kept = rowsWithin(found, mostOnPage).map(({ id }) => id);
  const rows = await run<CallRow>(callsById, [tenant.orgId, kept]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inOrder = kept.map((id) => byId.get(id)).filter((row) => row !== undefined);
  return {
    page: inOrder.map((row) => withShortNotes(asCall(row))),
    isCut: kept.length < found.length,
  };
}

function withShortNotes(call: Call): ListedCall {
  const { notesSnapshot: notes } = call;
  if (notes === null) return call;
  const start = startOfJson(notes, mostNotesBytes);
  // The database already cut notes longer than the whole limit, so they are cut here, too.
  return start === notes ? call : { ...call, notesSnapshot: start, notesTruncated: true };
}

/** @throws DomainError 404 */
export function findCall(tenant: Tenant, id: CallId): Promise<Call> {
  return tenant.connection((at) => readCall(at, id));
}

/** Notes may be a million times longer than an answer for which they are not needed. */
export type CallWithoutNotes = Omit<Call, 'notesSnapshot'>;

/** @throws DomainError 404 */
export const findCallWithoutNotes = (tenant: Tenant, id: CallId): Promise<CallWithoutNotes> =>
  tenant.connection((at) => readCallWithoutNotes(at, id));

/** @throws DomainError 404 */
export async function readCallWithoutNotes(
  { run, tenant }: TenantConnection,
  id: CallId,
): Promise<CallWithoutNotes> {
  const [row] = await run<CallRow>(callWithoutNotes, [tenant.orgId, id]);
  if (!row) throw notFound();
  const { notesSnapshot: _, ...call } = asCall(row);
  return call;
}

/** Returns a call with the first `most` characters of its notes. @throws DomainError 404 */
export async function readCallWithStartOfNotes(
  { run, tenant }: TenantConnection,
  id: CallId,
  most: number,
): Promise<Call> {
  const [row] = await run<CallRow>(callWithStartOfNotes, [tenant.orgId, id, most]);
  if (!row) throw notFound();
  return asCall(row);
}

/** @throws DomainError 404 */
export async function requireCall(at: TenantConnection, id: CallId): Promise<void> {
  if ((await at.run(callExists, [at.tenant.orgId, id])).length === 0) throw notFound();
}

/** @throws DomainError 404 */
export async function roomOfCall(at: TenantConnection, id: CallId): Promise<RoomId> {
  const [call] = await at.run<{ roomId: RoomId }>(callRoom, [at.tenant.orgId, id]);
  if (!call) throw notFound();
  return call.roomId;
}

/** Returns the last characters of a call's notes. */
export async function readEndOfNotes(tenant: Tenant, id: CallId, most: number): Promise<string> {
  const values = [tenant.orgId, id, most];
  const [row] = await tenant.connection(({ run }) =>
    run<{ notes: string | null }>(endOfNotes, values),
  );
  return row?.notes ?? '';
}

/**
 * Returns the checklist of a call, without its notes.
 * @throws DomainError 404
 */
export async function readItems(at: TenantConnection, id: CallId): Promise<ChecklistItemId[]> {
  const [row] = await at.run<{ items: ChecklistItemId[] }>(itemsOfCall, [at.tenant.orgId, id]);
  if (!row) throw notFound();
  return row.items;
}

/** Returns the call as this connection sees it, including the changes of its own transaction. */
export async function readCall(at: TenantConnection, id: CallId): Promise<Call> {
  const [row] = await at.run<CallRow>(callById, [at.tenant.orgId, id]);
  if (!row) throw notFound();
  return asCall(row);
}

function asCall(row: CallRow): Call {
  const items = row.items ?? [];
  return {
    id: row.id,
    roomId: row.room_id,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    durationSec: row.duration_sec,
    checklistStateJson: Object.fromEntries(items.map((item) => [item.id, item.checked])),
    checklistItems: items.map(({ id, text, order }) => ({ id, text, order })),
    notesSnapshot: row.notes_snapshot,
    npsScore: row.score,
    npsFeedback: row.feedback,
    createdAt: row.created_at.toISOString(),
    participantsJson: row.participants ?? [],
    ...(row.internal ? { internal: true as const } : {}),
    agent: row.agent,
    ...(row.is_sample ? { sample: true as const } : {}),
    room: { topic: row.topic },
  };
}

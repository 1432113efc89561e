import type { ListedCall } from '#domain/calls/contract.ts';
import { type CallFilter, scoreRanges } from '#domain/calls/filter.ts';
import { day } from '#domain/day.ts';
import { type CallId, greatestId, leastId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { SummedCalls } from '#server/analytics/read-sums.ts';
import { listCallsById } from '#server/calls/store.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { completedCalls, namedCalls } from './count-calls.ts';
import { includesRunning, type Order, orders } from './order-of-calls.ts';
import { runningCalls } from './running-calls.ts';

/** A call's place in the order of its list. */
interface Place {
  id: CallId;
  key: string;
}

/** Of so many calls or fewer, all are read and sorted. Of more, a page looks at some, in the order of an index. */
const mostSorted = 2_000;
/** The most calls that one request looks at. */
const mostScanned = 5_000;

interface Query {
  order: Order;
  calls: SummedCalls;
  filter: CallFilter;
  after: Place | null;
  limit: number;
}
type Placeholder = (value: unknown, type: string) => string;

/** A statement in the making: its text names the values by their places. */
function draft(name: string, write: ($: Placeholder) => string): [Statement, unknown[]] {
  const values: unknown[] = [];
  const text = write((value, type) => `$${values.push(value)}::${type}`);
  return [{ name, text }, values];
}

const isByDuration = ({ key }: Order) => key.startsWith('c.');
const direction = ({ isDescending }: Order) => (isDescending ? 'desc' : 'asc');
const idOf = (order: Order) => (isByDuration(order) ? 'c.id' : 'k.call_id');
const inOrder = (order: Order) =>
  `order by ${order.key} ${direction(order)}, ${idOf(order)} ${direction(order)}`;
const placeOf = (order: Order) =>
  `${idOf(order)} as id, ${order.type === 'date' ? `to_char(k.day, 'YYYY-MM-DD')` : `${order.key}::text`} as key`;

function follows($: Placeholder, { order, after }: Query): string {
  const ends = order.type === 'date' ? ['infinity', '-infinity'] : [2_147_483_647, -1];
  const [key, id] = after
    ? [after.key, after.id]
    : order.isDescending
      ? [ends[0], greatestId]
      : [ends[1], leastId];
  return `(${order.key}, ${idOf(order)}) ${order.isDescending ? '<' : '>'} (${$(key, order.type)}, ${$(id, 'uuid')})`;
}

const within = ($: Placeholder, { filter: { from, to } }: Query) =>
  `k.day between ${$(from ?? '-infinity', 'date')} and ${$(to ?? 'infinity', 'date')}`;

/** The whole filter, whatever an index has done of it, so that there are few statements. */
function matches($: Placeholder, query: Query): string {
  const { calls, filter, order } = query;
  const [scored, least, most] = filter.score ? scoreRanges[filter.score] : [null, 0, 10];
  const isScored = order.key === 'k.score_sum' ? 1 : null;
  const averaged = filter.guests ? (filter.guests === 'with' ? 1 : 0) : null;
  const equals = (column: string, value: unknown, type: string) =>
    `coalesce(${column} = ${$(value, type)}, true)`;
  return [
    `coalesce(k.room_id = any (${$(calls.rooms, 'uuid[]')}), true)`,
    // A call without a playbook or an agent must not match the coalesced null.
    `(${$(calls.playbookId, 'uuid')} is null or k.playbook_id = ${$(calls.playbookId, 'uuid')})`,
    `(${$(calls.agentId, 'uuid')} is null or k.agent_id = ${$(calls.agentId, 'uuid')})`,
    within($, query),
    equals('k.scores', scored, 'integer'),
    equals('k.scores', isScored, 'integer'),
    `k.score_sum between ${$(least, 'integer')} and ${$(most, 'integer')}`,
    equals('k.averaged', averaged, 'integer'),
  ].join(' and ');
}

/** The columns of the index that has the calls by day, of as many of the filter's dimensions as one has. */
function indexed({ calls: { rooms, playbookId, agentId } }: Query) {
  const room = rooms?.length === 1 ? rooms[0] : undefined;
  return {
    room_id: room,
    playbook_id: room ? undefined : (playbookId ?? undefined),
    agent_id: agentId ?? undefined,
  };
}

/** Calls in their order, of which the first `mostScanned` are looked at. */
function scan($: Placeholder, query: Query): string {
  const { order } = query;
  const org = $(null, 'uuid');
  if (isByDuration(order))
    return `select c.id, c.duration_sec, c.started_at from calls c
      where c.org_id = ${org} and c.ended_at is not null and ${follows($, query)} ${inOrder(order)}`;
  const of =
    order.type === 'date'
      ? Object.entries(indexed(query))
          .filter(([, id]) => id !== undefined)
          .map(([column, id]) => `k.${column} = ${$(id, 'uuid')}`)
          .concat(within($, query))
      : ['k.scores = 1'];
  return `select k.* from counted_calls k
    where k.org_id = ${org} and ${of.join(' and ')} and ${follows($, query)} ${inOrder(order)}`;
}

const nameOf = (what: string, query: Query) => {
  const { order } = query;
  const columns = Object.entries(indexed(query)).filter(([, id]) => id !== undefined);
  const of = order.type === 'date' ? columns.map(([column]) => column) : [];
  return [what, order.key.slice(2), direction(order), ...of].join('_');
};

/** Looks up the counts of a call of the period only. Their day is that of its start, in UTC. */
function withCounts($: Placeholder, { order, filter: { from, to } }: Query): string {
  if (!isByDuration(order)) return '';
  const isWithin = `(c.started_at at time zone 'UTC')::date
    between ${$(from ?? '-infinity', 'date')} and ${$(to ?? 'infinity', 'date')}`;
  return `cross join lateral (
    select * from counted_calls where call_id = c.id and ${isWithin} limit 1
  ) k`;
}

const scanned = (query: Query) =>
  draft(nameOf('scanned_calls_by', query), ($) => {
    const { order, limit } = query;
    const alias = isByDuration(order) ? 'c' : 'k';
    return `select ${placeOf(order)}
      from (${scan($, query)} limit ${mostScanned}) ${alias} ${withCounts($, query)}
      where ${matches($, query)} ${inOrder(order)} limit ${$(limit, 'integer')}`;
  });

/** The place of the last call that `scanned` looked at, if it did not look at all. */
const lastScanned = (query: Query) =>
  draft(nameOf('last_scanned_call_by', query), ($) => {
    const { order } = query;
    const alias = isByDuration(order) ? 'c' : 'k';
    return `select ${placeOf(order)} from (${scan($, query)} offset ${mostScanned - 1} limit 1) ${alias}`;
  });

/** The filter's calls, of which there are few, sorted. */
function sorted(query: Query): [Statement, unknown[]] {
  const { order, calls, limit } = query;
  const given = [
    calls.rooms && ['rooms', `k.room_id = any (`, calls.rooms, 'uuid[]', ')'],
    calls.playbookId && ['playbook', 'k.playbook_id = ', calls.playbookId, 'uuid', ''],
    calls.agentId && ['agent', 'k.agent_id = ', calls.agentId, 'uuid', ''],
  ].filter((each) => each !== null) as [string, string, unknown, string, string][];
  const name = ['sorted_calls_by', order.key.slice(2), direction(order), ...given.map(([n]) => n)];
  return draft(name.join('_'), ($) => {
    const conditions = [
      `k.org_id = ${$(null, 'uuid')}`,
      ...given.map(([, start, value, type, end]) => `${start}${$(value, type)}${end}`),
      within($, query),
    ];
    const length = isByDuration(order)
      ? 'cross join lateral (select id, duration_sec from calls where id = k.call_id limit 1) c'
      : '';
    return `with chosen as materialized (
        select k.* from counted_calls k where ${conditions.join(' and ')} limit ${2 * mostSorted}
      )
      select ${placeOf(order)} from chosen k ${length}
      where ${matches($, query)} and ${follows($, query)} ${inOrder(order)} limit ${$(limit, 'integer')}`;
  });
}

/** Whether an index has the filter's calls, and no others, in their order. */
function isIndexed(query: Query): boolean {
  const { calls, filter, order } = query;
  const { room_id, playbook_id } = indexed(query);
  const covers =
    (!calls.rooms || room_id !== undefined) && (!calls.playbookId || playbook_id !== undefined);
  return order.type === 'date' && covers && !filter.score && !filter.guests;
}

function placeAfter(order: Order, { before, beforeKey }: Cursor): Place | null {
  if (before === undefined || beforeKey === undefined) return null;
  const fits =
    order.type === 'date' ? day.safeParse(beforeKey).success : /^\d{1,9}$/.test(beforeKey);
  return fits ? { id: before as CallId, key: beforeKey } : null;
}
interface Cursor {
  before?: string | undefined;
  beforeKey?: string | undefined;
}

/**
 * Returns the places of a page of calls that match the filter. `next` is where the next page continues: after the
 * page's last call, or, if few of many calls match, after the last one that was looked at.
 * @throws DomainError 429
 */
async function findPlaces(
  tenant: Tenant,
  { limit, before, beforeKey, ...filter }: CallFilter & PageQuery & Cursor,
): Promise<{ places: Place[]; next: Place | undefined }> {
  const order = orders[filter.sort ?? 'newest'];
  const { isExact: _, ...calls } = await namedCalls(tenant, filter);
  const after = placeAfter(order, { before, beforeKey });
  const query: Query = { order, calls, filter, after, limit };
  if (calls.rooms?.length === 0) return { places: [], next: undefined };
  const running = includesRunning(filter) ? await runningCalls(tenant, calls, filter) : [];
  const counted = isIndexed(query) ? null : await completedCalls(tenant, calls, filter);
  const few = counted !== null && (counted.all <= mostSorted || counted.matching === 0);
  const completed =
    counted?.matching === 0 ? [] : await read(tenant, ...(few ? sorted(query) : scanned(query)));
  const places = merge(order, after, completed, running).slice(0, limit);
  if (places.length === limit) return { places, next: places.at(-1) };
  if (few) return { places, next: undefined };
  const [next] = await read(tenant, ...lastScanned(query));
  return { places, next };
}

const read = (tenant: Tenant, statement: Statement, values: unknown[]) =>
  tenant.connection(({ run }) => run<Place>(statement, [tenant.orgId, ...values.slice(1)]));

/** Returns the completed calls, with the running ones that follow `after`, in their order. */
function merge(
  { isDescending }: Order,
  after: Place | null,
  completed: Place[],
  running: Place[],
): Place[] {
  if (running.length === 0) return completed;
  const sign = isDescending ? -1 : 1;
  const compare = (a: Place, b: Place) =>
    sign * (a.key === b.key ? (a.id < b.id ? -1 : a.id === b.id ? 0 : 1) : a.key < b.key ? -1 : 1);
  const seen = new Set(completed.map(({ id }) => id));
  const added = running.filter(
    (place) => !seen.has(place.id) && (after === null || compare(place, after) > 0),
  );
  return [...completed, ...added].sort(compare);
}

/**
 * Returns a page of calls that match the filter, in its order; `next` continues it.
 * @throws DomainError 429
 */
export async function listFilteredCalls(
  tenant: Tenant,
  query: CallFilter & PageQuery & Cursor,
): Promise<{ page: ListedCall[]; next: { before: string; beforeKey: string } | undefined }> {
  const { places, next } = await findPlaces(tenant, query);
  const { page, isCut } = await listCallsById(
    tenant,
    places.map(({ id }) => id),
  );
  const last = isCut ? places.find(({ id }) => id === page.at(-1)?.id) : next;
  return { page, next: last && { before: last.id, beforeKey: last.key } };
}

import { type CallFilter, scoreRanges } from '#domain/calls/filter.ts';
import type { AccountId, CallId, RoomId } from '#domain/ids.ts';
import type { HitKind, SearchQuery } from '#domain/search/contract.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** Hits of a page; so many of a call are shown. */
const mostFound = 30;
const shownOfCall = 4;
/** Hits of a page that shows one call. */
const mostOfOneCall = 200;
/**
 * The most hits that one request looks at if few of them may be of the filter's calls. A page for which more would be
 * looked at ends early, and the next one continues.
 */
const mostLooked = 1_000;

/** A hit with its call; null where nothing was found, with where to continue. */
export interface HitRow {
  call_id: CallId | null;
  at_ms: number;
  kind: HitKind;
  text: string;
  speaker: string | null;
  /** How many hits of the page are in this call. */
  in_call: number;
  found: number;
  looked_until: CallId | null;
  started_at: Date;
  duration_sec: number | null;
  room_id: RoomId;
  topic: string;
  is_sample: boolean;
  agent_id: AccountId | null;
  agent_name: string | null;
}

/** What is shown of hits, each of which names its source. */
export const shown = `left join lateral (
      select l.text, l.name as speaker from transcript_lines l
        where h.kind = 'line' and l.org_id = $1 and l.id = h.source_id
      union all
      select m.text, m.name from chat_messages m
        where h.kind = 'chat' and m.org_id = $1 and m.id = h.source_id
      union all
      select concat_ws(' – ', i.title, nullif(i.description, '')), null from action_items i
        where h.kind = 'action' and i.org_id = $1 and i.id = h.source_id
      limit 1
    ) source on true
    left join lateral (
      select c.started_at, c.duration_sec, c.room_id, r.topic, r.sample_set_id is not null as is_sample,
        a.id as agent_id, concat_ws(' ', nullif(a.first_name, ''), nullif(a.last_name, '')) as agent_name
      from calls c join rooms r on r.id = c.room_id
        left join known_people a on a.id = c.started_by and not exists (
          select from erased_people p
          where p.org_id = c.org_id and p.account_id = a.id and p.erased_at >= c.created_at)
      where c.org_id = $1 and c.id = h.call_id limit 1
    ) call on true`;
const columns = `h.call_id, h.at_ms, h.kind, coalesce(source.text, h.text) as text, source.speaker,
    call.started_at, call.duration_sec, call.room_id, call.topic, call.is_sample, call.agent_id, call.agent_name`;

const hits: Statement = {
  name: 'search_hits',
  text: `select ${columns}, h.in_call::integer, h.found::integer, h.looked_until
    from (
      select *, count(*) over (partition by call_id) as in_call, count(*) over () as found,
        row_number() over (partition by call_id order by at_ms, kind, source_id, part) as place
      from search_hits($2::tsquery, $3::jsonb, $4, ${mostLooked})
    ) h ${shown}
    where h.place <= $5
    order by h.call_id desc, h.place`,
};

function scoreOf(group: NonNullable<CallFilter['score']>) {
  const [scored, leastScore, mostScore] = scoreRanges[group];
  return scored === 0 ? { scored } : { scored, leastScore, mostScore };
}

const dayMs = 86_400_000;
/** Ids of calls begin with the time at which the call was created: at most a month after it began (call-times.ts). */
const createdLate = 31 * dayMs;
/** A page that opened a call may wait for the first who joins. */
const createdEarly = 2 * dayMs;

/** Returns the first or the last id of a call that began on the day. */
function boundary(day: string, slackMs: number, digit: '0' | 'f'): string {
  const ms = Math.min(Math.max(0, Date.parse(day) + slackMs), 2 ** 48 - 1);
  const time = ms.toString(16).padStart(12, '0');
  const rest = digit.repeat(12);
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(0, 4)}-${rest}`;
}

/** Returns the filter as the function search_hits reads it (migration 0058). */
function filterOf({ from, to, score, guests, ...query }: SearchQuery) {
  const { roomId, playbookId, agentId, callId, before } = query;
  return {
    ...{ roomId, playbookId, agentId, from, to, callId, before },
    ...(score ? scoreOf(score) : {}),
    ...(guests ? { averaged: guests === 'with' ? 1 : 0 } : {}),
    ...(from ? { sinceCall: boundary(from, -createdEarly, '0') } : {}),
    ...(to ? { untilCall: boundary(to, createdLate + dayMs, 'f') } : {}),
  };
}

/**
 * Returns the hits of a page, those of a call together, and the call after which the next page begins.
 * @param words as `tsqueryOf` returns them
 */
export async function findHits(
  at: TenantConnection,
  words: string,
  query: SearchQuery,
): Promise<{ rows: HitRow[]; next: CallId | null }> {
  const isOfOneCall = query.callId !== undefined;
  const most = isOfOneCall ? mostOfOneCall + 1 : mostFound;
  const shownMost = isOfOneCall ? mostOfOneCall : shownOfCall;
  const values = [at.tenant.orgId, words, JSON.stringify(filterOf(query)), most, shownMost];
  const rows = await at.run<HitRow & Record<string, unknown>>(hits, values);
  const found = rows.filter(({ call_id: call }) => call !== null);
  if (isOfOneCall) return { rows: found, next: null };
  const isFull = rows[0]?.found === mostFound;
  const last = found.at(-1);
  // The page ends within this call, which may have more.
  if (isFull && last) last.in_call = Math.max(last.in_call, shownOfCall + 1);
  return { rows: found, next: (isFull ? last?.call_id : rows[0]?.looked_until) ?? null };
}

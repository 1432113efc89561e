import type { CallFilter } from '#domain/calls/filter.ts';
import type { RoomId } from '#domain/ids.ts';
import { type SummedCalls, summedCalls, totalSums } from '#server/analytics/read-sums.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { includesRunning } from './order-of-calls.ts';
import { runningCalls } from './running-calls.ts';

/** The rooms whose calls a search finds: the newest ones. */
const mostRooms = 50;
const roomsOfSearch: Statement = {
  name: 'rooms_of_call_search',
  text: `select id from rooms
    where org_id = $1 and position(lower($2) in lower(topic)) > 0 order by id desc limit $3`,
};

/**
 * Returns whose calls the filter names. `isExact` is false if the search finds more rooms than are searched.
 * @throws DomainError 429
 */
export async function namedCalls(
  tenant: Tenant,
  filter: CallFilter,
): Promise<SummedCalls & { isExact: boolean }> {
  const calls = summedCalls(filter);
  const { search } = filter;
  if (!search) return { ...calls, isExact: true };
  const values = [tenant.orgId, search, mostRooms + 1];
  // A search that finds nothing looks at all rooms.
  const rows = await tenant.sharedRead(['rooms_of_call_search', ...values], ({ run }) =>
    run<{ id: RoomId }>(roomsOfSearch, values),
  );
  const found = rows.slice(0, mostRooms).map(({ id }) => id);
  const rooms = calls.rooms ? found.filter((id) => id === filter.roomId) : found;
  return { ...calls, rooms, isExact: rows.length <= mostRooms };
}

/** Returns the number of calls that match the filter, from the sums of days. @throws DomainError 429 */
export async function countCalls(
  tenant: Tenant,
  filter: CallFilter,
): Promise<{ total: number; isExact: boolean }> {
  const { isExact, ...calls } = await namedCalls(tenant, filter);
  const { matching } = await completedCalls(tenant, calls, filter);
  const running = includesRunning(filter) ? await runningCalls(tenant, calls, filter) : [];
  return { total: matching + running.length, isExact };
}

/**
 * Returns how many completed calls of the period are those of `calls`, and how many of them match the whole filter.
 * @throws DomainError 429
 */
export async function completedCalls(
  tenant: Tenant,
  calls: SummedCalls,
  filter: CallFilter,
): Promise<{ all: number; matching: number }> {
  const sums = await totalSums(tenant, calls, filter);
  return sums ? { all: sums.calls, matching: matchingOf(sums, filter) } : { all: 0, matching: 0 };
}

/** Scores are of calls with a guest only, as the averages are. */
function matchingOf(
  sums: NonNullable<Awaited<ReturnType<typeof totalSums>>>,
  { score, guests, sort }: CallFilter,
): number {
  const isByScore = sort === 'highest' || sort === 'lowest';
  if (score === 'none') {
    if (isByScore) return 0;
    const withGuests = sums.averaged - sums.scores;
    const without = sums.calls - sums.averaged;
    return guests === 'with' ? withGuests : guests === 'without' ? without : withGuests + without;
  }
  if (guests === 'without') return score || isByScore ? 0 : sums.calls - sums.averaged;
  if (score) return sums[score];
  if (isByScore) return sums.scores;
  return guests === 'with' ? sums.averaged : sums.calls;
}

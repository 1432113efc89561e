import { useLocation, useSearchParams } from 'react-router';
import { accountId } from '#domain/ids.ts';
import { withValues } from '#web/platform/with-values.ts';

export const filterNames = ['action', 'person', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];

/**
 * The filters of the log, in the address (`?action=…&person=…&from=2026-03-01&to=2026-03-31`), so
 * that Back, a reload and a link restore them. The days are in the reader's time zone; both are
 * included.
 */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const chosen = Object.fromEntries(
    filterNames.map((name) => [name, params.get(name) ?? '']),
  ) as Record<FilterName, string>; // one of each name, just above
  const write = (values: Partial<Record<FilterName, string>>) =>
    setParams((before) => withValues(before, values), { replace: true, state });
  return {
    chosen,
    query: queryOf(chosen),
    isFiltered: filterNames.some((name) => chosen[name] !== ''),
    choose: (name: FilterName, value: string) => write({ [name]: value }),
    clear: () => write({ action: '', person: '', from: '', to: '' }),
  };
}

/** Returns the endpoint's query. Invalid values in the address filter nothing. */
export function queryOf({ action, person, from, to }: Record<FilterName, string>) {
  const userId = accountId.safeParse(person).data;
  const since = startOfDay(from, 0);
  const until = startOfDay(to, 1);
  return {
    ...(/^[A-Z]+(_[A-Z]+)*$/.test(action) ? { action } : {}),
    ...(userId ? { userId } : {}),
    ...(since ? { from: since } : {}),
    ...(until ? { to: until } : {}),
  };
}

/** Returns the start of a day in the reader's time zone, `later` days on; null if the text is not a day. */
function startOfDay(day: string, later: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}

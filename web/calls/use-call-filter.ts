import { useSearchParams } from 'react-router';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import { type CallFilter, callFilter } from '#domain/calls/filter.ts';
import { daysOf, type PeriodName, periods } from '#web/calls/periods.ts';
import { serverNow } from '#web/platform/clock.ts';
import { withValues } from '#web/platform/with-values.ts';

/** The filters of figures and of calls, by their names in the address. */
const figureNames = ['period', 'from', 'to', 'agentId', 'roomId', 'playbookId'] as const;
const callNames = ['score', 'guests', 'q', 'sort'] as const;
const names = [...figureNames, ...callNames];
export type FilterName = (typeof names)[number];
type Chosen = Record<FilterName, string>;

const { shape } = callFilter;

/**
 * Returns the filters that the address names. What is invalid is dropped: the address may have been edited, or come
 * from elsewhere.
 */
export function validFilters(read: (name: FilterName) => string | null, now: Date): Chosen {
  const valid = (name: FilterName, schema: { safeParse(value: unknown): { success: boolean } }) => {
    const value = read(name) ?? '';
    return value !== '' && schema.safeParse(value).success ? value : '';
  };
  const [from, to] = [valid('from', shape.from), valid('to', shape.to)];
  const isOrdered = from === '' || to === '' || from <= to;
  const named = periods.find((period) => period === read('period'));
  const period: PeriodName | '' = named ?? (isOrdered && (from || to) ? 'custom' : '');
  const days =
    period === 'custom' ? (isOrdered ? { from, to } : {}) : period ? daysOf(period, now) : {};
  return {
    period,
    from: '',
    to: '',
    ...days,
    agentId: valid('agentId', shape.agentId),
    roomId: valid('roomId', shape.roomId),
    playbookId: valid('playbookId', shape.playbookId),
    score: valid('score', shape.score),
    guests: valid('guests', shape.guests),
    q: valid('q', shape.search).trim(),
    sort: valid('sort', shape.sort),
  };
}

/** Without empty texts, and typed as the endpoints' queries: each value was parsed by the query's own schema. */
const queryOf = <Query>(values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Query;

/** The filters of figures and calls, kept in the address, so that Back, a reload, and a link restore them. */
export function useCallFilter() {
  const [params, setParams] = useSearchParams();
  const chosen = validFilters((name) => params.get(name), new Date(serverNow()));
  const { from, to, agentId, roomId, playbookId, score, guests, q, sort } = chosen;
  const write = (values: Partial<Chosen>) =>
    // The pages turned so far, which the history's state has, are of the earlier filters.
    setParams((before) => withValues(before, values), {
      replace: true,
      state: null,
      preventScrollReset: true,
    });
  const none = (cleared: readonly FilterName[]) =>
    Object.fromEntries(cleared.map((name) => [name, '']));
  const figures = queryOf<AnalyticsFilter>({ from, to, agentId, roomId, playbookId });
  const narrowed = { ...figures, ...queryOf<CallFilter>({ score, guests, search: q }) };
  return {
    chosen,
    figures,
    calls: { ...narrowed, ...queryOf<CallFilter>({ sort }) } satisfies CallFilter,
    hasFigureFilter: Object.keys(figures).length > 0,
    isFiltered: Object.keys(narrowed).length > 0,
    choose: (name: FilterName, value: string) => {
      if (name !== 'period') write({ [name]: value });
      // The days of a named period follow from its name; another period starts from the one shown.
      else write({ period: value, ...(value === 'custom' ? { from, to } : { from: '', to: '' }) });
    },
    clear: () => write(none(names)),
    clearFigures: () => write(none(figureNames)),
  };
}

import type { CallFilter, CallSort } from '#domain/calls/filter.ts';

/** An order of calls: by a key, and by id among calls with the same. */
export interface Order {
  key: string;
  type: 'date' | 'integer';
  isDescending: boolean;
}

const by = (key: string, type: Order['type']) =>
  [
    { key, type, isDescending: true },
    { key, type, isDescending: false },
  ] as const;
const [newest, oldest] = by('k.day', 'date');
const [longest, shortest] = by('c.duration_sec', 'integer');
const [highest, lowest] = by('k.score_sum', 'integer');

/** `c` is a call, and `k` its row of `counted_calls`. */
export const orders: Record<CallSort, Order> = {
  newest,
  oldest,
  longest,
  shortest,
  highest,
  lowest,
};

/** Running calls have a day, and neither a length nor a score. */
export const includesRunning = ({ sort = 'newest', score, guests }: CallFilter): boolean =>
  orders[sort].type === 'date' && score === undefined && guests === undefined;

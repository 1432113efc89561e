import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '#web/platform/use-debounced.ts';

const restMs = 200;
export type ListStatus = 'active' | 'archived';

/**
 * The filter of a list, in the address (`?q=…&status=archived`), so that Back and a link restore
 * it. `typed` is the text of the search field, `query` the debounced request.
 */
export function useListFilter() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const status: ListStatus = params.get('status') === 'archived' ? 'archived' : 'active';
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const search = useDebounced(typed.trim(), restMs);
  const write = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, state },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when the search changes, and then only.
  useEffect(() => {
    if ((params.get('q') ?? '') !== search) write('q', search);
  }, [search]);
  return {
    typed,
    setTyped,
    status,
    setStatus: (next: ListStatus) => write('status', next === 'archived' ? next : ''),
    query: { status, ...(search ? { search } : {}) },
  };
}

import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '#web/platform/use-debounced.ts';

const restMs = 200;
export type ListStatus = 'active' | 'archived';

/**
 * What a list shows, in the address (`?q=…&status=archived`), so that Back and a link lead to it.
 * `typed` is in the search field, `query` is what to ask for: once the typing has rested.
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

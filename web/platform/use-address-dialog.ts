import { useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * A dialog whose state is in the address, as `?<name>` or `?<name>=<value>`: Back closes it,
 * Forward opens it again, and a link, a reload or signing in restores it. `value` is null while it
 * is closed.
 */
export function useAddressDialog(name: string) {
  const [params] = useSearchParams();
  const { pathname, state, key } = useLocation();
  const closed = useRef<string>(undefined);
  const navigate = useNavigate();
  const without = () => {
    const rest = new URLSearchParams(params);
    rest.delete(name);
    return rest;
  };
  const addressWith = (search: URLSearchParams) => ({ pathname, search: search.toString() });
  return {
    value: params.get(name),
    /** @param instead the name of a dialog that this one replaces */
    open: (value = '', { instead }: { instead?: string } = {}) => {
      const search = without();
      if (instead) search.delete(instead);
      search.set(name, value);
      const replace = instead !== undefined;
      void navigate(addressWith(search), { state: { opened: name }, replace });
    },
    /** Goes back if the dialog was opened from here, so that Back does not open it again. */
    close: () => {
      // Going back takes a moment, during which a second Escape would leave the page.
      if (closed.current === key) return;
      closed.current = key;
      if (wasOpenedHere(state, name)) void navigate(-1);
      else void navigate(addressWith(without()), { replace: true });
    },
  };
}

const wasOpenedHere = (state: unknown, name: string) =>
  typeof state === 'object' && state !== null && 'opened' in state && state.opened === name;

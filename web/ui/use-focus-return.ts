import { useRef } from 'react';

/** What had the focus of late, the newest first. An item of a menu is gone soon; its menu's button is not. */
const recent: Element[] = [];
const mostKept = 8;

if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const menu = target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
    recent.unshift((menu && document.getElementById(menu)) || target);
    recent.length = Math.min(recent.length, mostKept);
  });
}

/**
 * For a dialog that is opened by state and not by a trigger of its own: keeps what had the focus, and
 * gives it back when the dialog closes. A field of the dialog may have taken the focus before this is asked.
 */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: ({ target }: Event) => {
      const isOutside = (element: Element) => !(target instanceof Node && target.contains(element));
      before.current = recent.find((element) => element.isConnected && isOutside(element)) ?? null;
    },
    onCloseAutoFocus: (event: Event) => {
      if (!(before.current instanceof HTMLElement) || !before.current.isConnected) return;
      event.preventDefault();
      before.current.focus();
    },
  };
}

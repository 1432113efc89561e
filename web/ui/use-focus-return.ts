import { useRef } from 'react';

/** The elements that had the focus recently, newest first. A menu's item disappears; its button stays. */
const recent: Element[] = [];
const mostKept = 8;

function remember(target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  const menu = target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  recent.unshift((menu && document.getElementById(menu)) || target);
  recent.length = Math.min(recent.length, mostKept);
}

if (typeof document !== 'undefined') {
  // This module can load with the first dialog, after its button received the focus.
  remember(document.activeElement);
  document.addEventListener('focusin', ({ target }) => remember(target));
}

/**
 * For a dialog that is opened by state, without a trigger: remembers the focused element, and
 * focuses it again when the dialog closes. A field of the dialog may already have the focus by
 * then.
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

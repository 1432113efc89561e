import { useRef } from 'react';

/**
 * For a dialog that is opened by state and not by a trigger of its own: keeps what had the focus, and
 * gives it back when the dialog closes. An item of a menu is gone by then; its menu's button is not.
 */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      const focused = document.activeElement;
      const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
      before.current = menu ? document.getElementById(menu) : focused;
    },
    onCloseAutoFocus: (event: Event) => {
      if (!(before.current instanceof HTMLElement) || !before.current.isConnected) return;
      event.preventDefault();
      before.current.focus();
    },
  };
}

import { type ReactNode, useEffect } from 'react';
import { Icon } from '../icons.tsx';

type SidePanelProps = {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
};

/** Opened over a panel, and closed by Escape before it. */
const above = 'dialog[open], :popover-open';

/** A panel beside the stage, or over it on narrow screens. Escape closes it. */
export function SidePanel({ title, closeLabel, onClose, children }: SidePanelProps) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector(above) === null) onClose();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onClose]);
  return (
    <aside className="side-panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="quiet" aria-label={closeLabel} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </aside>
  );
}

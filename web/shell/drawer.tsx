import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The menu over the page. A native modal dialog: it keeps the focus, Escape closes it, and its top
 * layer is above the call's frame.
 */
export function Drawer({ open, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself.
    <dialog
      ref={dialog}
      aria-label={t('shell.navigation')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="slide-in m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-visible bg-card text-foreground shadow-2xl backdrop:bg-black/45"
    >
      {open && (
        <div className="relative h-full">
          {children}
          <div className="absolute top-2.5 right-2">
            <Button look="ghost" size="icon" aria-label={t('shell.closeMenu')} onClick={onClose}>
              <X aria-hidden className="size-4" />
            </Button>
          </div>
        </div>
      )}
    </dialog>
  );
}

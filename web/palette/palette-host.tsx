import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isShortcut, PaletteContext } from '#web/palette/palette-context.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';

type Palette = typeof import('#web/palette/command-palette.tsx').CommandPalette;

/** A modal dialog or menu handles the keyboard alone. */
const isModalOpen = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]') !==
  null;

/** Wraps the page and opens the palette, whose code is loaded on first use. */
export function PaletteHost({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [Palette, setPalette] = useState<Palette | null>(null);
  const open = useRef(() => {
    setOpen(true);
    import('#web/palette/command-palette.tsx').then(
      (module) => setPalette(() => module.CommandPalette),
      (error: unknown) => {
        setOpen(false);
        toastFailure(error, t('common.unreachable'));
      },
    );
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event) || isModalOpen()) return;
      event.preventDefault();
      open.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <PaletteContext value={open.current}>
      {children}
      {Palette && <Palette open={isOpen} onOpenChange={setOpen} />}
    </PaletteContext>
  );
}

import { Search } from 'lucide-react';
import { shortcut, useOpenPalette } from '#web/palette/palette-context.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/** Opens the palette, and shows its shortcut. */
export function PaletteButton({ onOpen }: { onOpen?: () => void }) {
  const open = useOpenPalette();
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut.aria}
      aria-haspopup="dialog"
      onClick={() => {
        onOpen?.();
        open();
      }}
      className="flex h-9 w-full items-center gap-2.5 rounded-md border bg-background px-2.5 text-sm text-muted-foreground hover:text-foreground"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">{t('palette.open')}</span>
      <kbd className="font-sans text-xs" aria-hidden>
        {shortcut.shown}
      </kbd>
    </button>
  );
}

/** The same on narrow screens. */
export function PaletteIconButton() {
  const open = useOpenPalette();
  return (
    <Button
      look="ghost"
      size="icon"
      aria-label={t('palette.open')}
      aria-keyshortcuts={shortcut.aria}
      aria-haspopup="dialog"
      onClick={open}
    >
      <Search aria-hidden className="size-4.5" />
    </Button>
  );
}

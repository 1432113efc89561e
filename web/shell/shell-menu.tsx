import { Menu } from 'lucide-react';
import { createContext, useContext } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

export const ShellMenuContext = createContext<() => void>(() => {});

export function ShellMenuButton() {
  const open = useContext(ShellMenuContext);
  return (
    <Button look="ghost" size="icon" aria-label={t('shell.openMenu')} onClick={open}>
      <Menu aria-hidden className="size-4.5" />
    </Button>
  );
}

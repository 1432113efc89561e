import { t } from '#web/platform/texts.ts';
import { ShellMenuButton } from '#web/shell/shell-menu.tsx';

/** Below 768 px, where the sidebar is a drawer. */
export function TopBar() {
  return (
    <header className="sticky top-0 z-10 flex h-14 items-center gap-2 border-b bg-card/90 px-2 backdrop-blur md:hidden">
      <ShellMenuButton />
      <img src="/icon.svg" alt="" className="size-6" />
      <span className="text-sm font-semibold">{t('product')}</span>
    </header>
  );
}

import type { ComponentProps } from 'react';
import { t } from '#web/platform/texts.ts';

/** The person in the sidebar's footer; a button that opens the menu. */
export function AccountButton({ children, ...button }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...button}
      className="flex min-w-0 flex-1 items-center gap-3 rounded-md p-1 text-left hover:bg-muted"
    >
      {children}
      <span className="sr-only">{t('shell.accountMenu')}</span>
    </button>
  );
}

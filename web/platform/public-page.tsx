import { useEffect } from 'react';
import { t } from '#web/platform/texts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { carryShownToast } from '#web/ui/toast-store.ts';

/** A page that the server renders outside the app: navigating to it leaves the app by loading it. */
export function PublicPage() {
  useEffect(() => {
    carryShownToast();
    window.location.replace(window.location.href);
  }, []);
  return <Spinner label={t('common.loading')} />;
}

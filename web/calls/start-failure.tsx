import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { Button } from '#web/ui/button.tsx';

/** The call's record could not be created: shows why, and that edits are not stored yet. */
export function StartFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="appear fixed top-16 left-1/2 z-20 flex w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 items-center gap-3 rounded-xl border bg-raised p-3 pl-4 shadow-lg"
    >
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium">{t('call.startRefused')}</p>
        <p className="text-muted-foreground">{serverMessage(error, t('call.createFailed'))}</p>
      </div>
      <Button look="outline" size="small" onClick={onRetry}>
        {t('common.tryAgain')}
      </Button>
    </div>
  );
}

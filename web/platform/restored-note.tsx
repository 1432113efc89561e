import { t } from '#web/platform/texts.ts';

/** Shown above a form with input that was restored after a reload or after signing in again. */
export function RestoredNote({ shown, startOver }: { shown: boolean; startOver: () => void }) {
  if (!shown) return null;
  return (
    <p role="status" className="rounded-md bg-muted px-3 py-2 text-sm">
      {t('forms.restored')}{' '}
      <button
        type="button"
        onClick={startOver}
        className="rounded font-medium underline underline-offset-4"
      >
        {t('forms.startOver')}
      </button>
    </p>
  );
}

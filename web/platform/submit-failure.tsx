import { ApiError, isRefusal } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';

/**
 * Shown beside the buttons of a form whose last request failed without a refusal: no input is lost,
 * and the button submits the form again. A refusal is reported by its toast or at its field.
 */
export function SubmitFailure({ failure }: { failure: unknown }) {
  if (!(failure instanceof ApiError)) return null;
  const { status } = failure;
  if (isRefusal(failure)) return null;
  return (
    <div role="alert" className="rounded-md border border-destructive/40 px-3 py-2.5 text-sm">
      <p className="text-destructive">{t(status === 0 ? 'forms.unreachable' : 'forms.broken')}</p>
      <p className="mt-1 text-muted-foreground">
        {t('forms.notSent')}{' '}
        <button
          type="submit"
          className="rounded font-medium text-foreground underline underline-offset-4"
        >
          {t('common.tryAgain')}
        </button>
      </p>
    </div>
  );
}

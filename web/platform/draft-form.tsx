import type { FormEvent, ReactNode } from 'react';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

interface DraftFormProps {
  /** The result of `useDraftForm`. */
  draft: {
    submit: (event?: FormEvent) => unknown;
    failure: unknown;
    isRestored: boolean;
    startOver: () => void;
    close: () => void;
  };
  texts: { submit: string; pending: string };
  isPending: boolean;
  /** Another way to send the form, beside the main button. */
  other?: { label: string; submit: () => unknown } | undefined;
  /** A form in a page has no Close button. */
  isInPage?: boolean;
  children: ReactNode;
}

/** The parts around the fields of every form: restored input, the last failure, and the buttons. */
export function DraftForm({ draft, texts, isPending, other, isInPage, children }: DraftFormProps) {
  const { submit, failure, isRestored, startOver, close } = draft;
  const label = isPending ? texts.pending : texts.submit;
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
      {children}
      <SubmitFailure failure={failure} />
      {isInPage ? (
        <Button type="submit" className="justify-self-end" disabled={isPending}>
          {label}
        </Button>
      ) : (
        <DialogActions>
          <Button look="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          {other && (
            <Button look="outline" disabled={isPending} onClick={() => other.submit()}>
              {other.label}
            </Button>
          )}
          <Button type="submit" disabled={isPending}>
            {label}
          </Button>
        </DialogActions>
      )}
    </form>
  );
}

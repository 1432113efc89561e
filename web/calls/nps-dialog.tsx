import { useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import { useUpdateCall } from '#web/calls/queries.ts';
import { ScoreChoice } from '#web/calls/score-choice.tsx';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface NpsDialogProps {
  callId: CallId;
  /** After Submit and after Skip. */
  onDone: () => void;
}

export function NpsDialog({ callId, onDone }: NpsDialogProps) {
  const [score, setScore] = useState<number | null>(null);
  const [feedback, setFeedback] = useState('');
  const { mutate, isPending } = useUpdateCall();

  function submit() {
    if (score === null) return;
    const npsFeedback = feedback.trim();
    mutate(
      { id: callId, npsScore: score, ...(npsFeedback ? { npsFeedback } : {}) },
      {
        onSuccess: () => {
          toast({ title: t('call.nps.thanks') });
          onDone();
        },
        onError: (error) => toastFailure(error, t('call.nps.failed')),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onDone()}
      title={t('call.nps.title')}
      description={t('call.nps.question')}
      closeLabel={t('call.nps.skip')}
      closesOutside={false}
    >
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ScoreChoice label={t('call.nps.text')} score={score} onChoose={setScore} />
        <Field label={t('call.nps.feedback')} note={t('auth.fields.optional')}>
          {(input) => (
            <textarea
              {...input}
              rows={3}
              maxLength={5000}
              value={feedback}
              onChange={(event) => setFeedback(event.target.value)}
              placeholder={t('call.nps.feedbackExample')}
              className={`${inputClass} h-auto py-2`}
            />
          )}
        </Field>
        <DialogActions>
          <Button look="outline" onClick={onDone}>
            {t('call.nps.skip')}
          </Button>
          <Button type="submit" disabled={score === null || isPending}>
            {isPending ? t('call.nps.submitting') : t('call.nps.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

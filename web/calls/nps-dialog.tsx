import '#web/platform/call-texts.ts';
import { z } from 'zod';
import type { CallId } from '#domain/ids.ts';
import { useUpdateCall } from '#web/calls/queries.ts';
import { ScoreChoice } from '#web/calls/score-choice.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface NpsDialogProps {
  callId: CallId;
  /** Called after Submit and after Skip. */
  onDone: () => void;
}

const resolver = formResolver(z.object({ score: z.int().nullable(), feedback: z.string().trim() }));

export function NpsDialog(props: NpsDialogProps) {
  return (
    <FormDialog
      open
      onClose={props.onDone}
      title={t('call.nps.title')}
      description={t('call.nps.question')}
      closeLabel={t('call.nps.skip')}
    >
      <NpsForm {...props} />
    </FormDialog>
  );
}

function NpsForm({ callId, onDone }: NpsDialogProps) {
  const { mutateAsync, isPending } = useUpdateCall();
  const { form, submit, failure, discard } = useDraftForm({
    draft: `nps:${callId}`,
    resolver,
    values: { score: null, feedback: '' },
    send: async ({ score, feedback }) => {
      if (score === null) return;
      await mutateAsync({
        id: callId,
        npsScore: score,
        ...(feedback ? { npsFeedback: feedback } : {}),
      }).catch((error: unknown) => {
        toastFailure(error, t('call.nps.failed'));
        throw error;
      });
    },
    onSent: () => {
      toast({ title: t('call.nps.thanks') });
      onDone();
    },
  });
  const score = form.watch('score');
  return (
    <form className="grid gap-5" onSubmit={submit}>
      <ScoreChoice
        label={t('call.nps.text')}
        score={score}
        onChoose={(chosen) => form.setValue('score', chosen, { shouldDirty: true })}
      />
      <Field label={t('call.nps.feedback')} note={t('auth.fields.optional')}>
        {(input) => (
          <textarea
            {...input}
            {...form.register('feedback')}
            rows={3}
            maxLength={5000}
            placeholder={t('call.nps.feedbackExample')}
            className={`${inputClass} h-auto py-2`}
          />
        )}
      </Field>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button
          look="outline"
          onClick={() => {
            discard();
            onDone();
          }}
        >
          {t('call.nps.skip')}
        </Button>
        <Button type="submit" disabled={score === null || isPending}>
          {isPending ? t('call.nps.submitting') : t('call.nps.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

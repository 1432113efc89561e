import '#web/platform/player-texts.ts';
import type { CallId } from '#domain/ids.ts';
import { correctLine, type TranscriptLine } from '#domain/transcripts/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCorrectLine } from '#web/transcripts/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface CorrectLineDialogProps {
  callId: CallId;
  line: TranscriptLine;
  onClose: () => void;
}

export default function CorrectLineDialog(props: CorrectLineDialogProps) {
  return (
    <FormDialog open onClose={props.onClose} title={t('transcript.correctTitle')}>
      <CorrectLineForm {...props} />
    </FormDialog>
  );
}

const resolver = formResolver(correctLine.body);

function CorrectLineForm({ callId, line, onClose }: CorrectLineDialogProps) {
  const { mutateAsync, isPending } = useCorrectLine(callId, line);
  const { form, submit, failure, close } = useDraftForm({
    draft: `transcript-line:${line.id}`,
    resolver,
    values: { text: line.text },
    send: ({ text }: { text: string }) => mutateAsync(text),
    onSent: onClose,
  });
  const hint = line.recognizedText ?? line.text;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field
        label={t('transcript.textField')}
        hint={t('transcript.recognized', { text: hint })}
        error={form.formState.errors.text?.message}
      >
        {(input) => (
          <textarea
            {...input}
            {...form.register('text')}
            dir="auto"
            rows={4}
            className={`${inputClass} h-auto py-2`}
          />
        )}
      </Field>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {t(isPending ? 'transcript.saving' : 'transcript.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

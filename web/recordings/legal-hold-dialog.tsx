import type { CallId } from '#domain/ids.ts';
import { placeLegalHold } from '#domain/recordings/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { usePlaceLegalHold } from '#web/recordings/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface LegalHoldDialogProps {
  callId: CallId;
  onClose: () => void;
}

export default function LegalHoldDialog(props: LegalHoldDialogProps) {
  return (
    <FormDialog open onClose={props.onClose} title={t('player.manage.holdTitle')}>
      <LegalHoldForm {...props} />
    </FormDialog>
  );
}

const resolver = formResolver(placeLegalHold.body);

function LegalHoldForm({ callId, onClose }: LegalHoldDialogProps) {
  const { mutateAsync, isPending } = usePlaceLegalHold(callId);
  const { form, submit, failure, close } = useDraftForm({
    draft: `legal-hold:${callId}`,
    resolver,
    values: { reason: '' },
    send: ({ reason }: { reason: string }) => mutateAsync(reason),
    onSent: onClose,
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-muted-foreground">{t('player.manage.holdText')}</p>
      <Field label={t('player.manage.reason')} error={form.formState.errors.reason?.message}>
        {(input) => <input {...input} {...form.register('reason')} className={inputClass} />}
      </Field>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {t('player.manage.hold')}
        </Button>
      </DialogActions>
    </form>
  );
}

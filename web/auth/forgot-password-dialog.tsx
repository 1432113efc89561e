import { useForm } from 'react-hook-form';
import { forgotPasswordBody } from '#domain/auth/contract.ts';
import { useForgotPassword } from '#web/auth/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface ForgotPasswordDialogProps {
  open: boolean;
  onClose: () => void;
  /** The email that was typed into the sign-in form. */
  email: string;
}

export function ForgotPasswordDialog({ open, onClose, email }: ForgotPasswordDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('auth.forgot.title')}
      description={t('auth.forgot.text')}
      closeLabel={t('common.close')}
    >
      <ForgotPasswordForm email={email} onDone={onClose} />
    </Dialog>
  );
}

function ForgotPasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { mutateAsync, isPending } = useForgotPassword();
  const { register, handleSubmit, formState } = useForm({
    resolver: formResolver(forgotPasswordBody),
    defaultValues: { email },
  });
  const submit = useSubmitOnce(
    handleSubmit((asked) => mutateAsync(asked).then(onDone, saidByToast)),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field label={t('auth.fields.email')} error={formState.errors.email?.message}>
        {(input) => (
          <input
            {...input}
            {...register('email')}
            type="email"
            required
            autoComplete="username"
            className={inputClass}
          />
        )}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('auth.forgot.pending') : t('auth.forgot.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

import '#web/platform/security-texts.ts';
import { useState, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import { confirmSelfBody } from '#domain/auth/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { answerAsking, isAsking, onAsking } from '#web/security/confirm-self.ts';
import { isAboutCode, useConfirmSelf, wantsCode } from '#web/security/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onDone: () => void;
  onCancel: () => void;
}

/** Asks for the password, and for a code if the account has a second factor. */
export function ConfirmDialog({ open, onDone, onCancel }: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onCancel()}
      title={t('security.confirm.title')}
      description={t('security.confirm.text')}
      closeLabel={t('common.close')}
    >
      <ConfirmForm onDone={onDone} onCancel={onCancel} />
    </Dialog>
  );
}

/** Asks for the re-authentication that `confirmed` waits for. Once on each page that needs it. */
export function ConfirmSelf() {
  const open = useSyncExternalStore(onAsking, isAsking);
  return (
    <ConfirmDialog
      open={open}
      onDone={() => answerAsking(true)}
      onCancel={() => answerAsking(false)}
    />
  );
}

function ConfirmForm({ onDone, onCancel }: Omit<ConfirmDialogProps, 'open'>) {
  const { mutate, isPending } = useConfirmSelf();
  const [needsCode, setNeedsCode] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: formResolver(confirmSelfBody),
    defaultValues: { password: '' },
    // The code's field appears when the server asks for it.
    shouldUnregister: true,
  });
  const submit = handleSubmit((given) =>
    mutate(given, {
      onSuccess: onDone,
      onError: (error) => {
        if (wantsCode(error)) return setNeedsCode(true);
        const field = isAboutCode(error) ? 'code' : 'password';
        setError(field, { message: serverMessage(error, t('security.twoFactor.failed')) });
      },
    }),
  );
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.stopPropagation();
        void submit(event);
      }}
    >
      <Field label={t('auth.fields.password')} error={formState.errors.password?.message}>
        {(input) => (
          <PasswordInput
            {...input}
            {...register('password')}
            autoComplete="current-password"
            showLabel={t('auth.showPassword')}
            hideLabel={t('auth.hidePassword')}
          />
        )}
      </Field>
      {needsCode && (
        <Field label={t('security.confirm.code')} error={formState.errors.code?.message}>
          {(input) => (
            <input
              {...input}
              {...register('code')}
              // biome-ignore lint/a11y/noAutofocus: it appears since it has to be filled in now.
              autoFocus
              autoComplete="one-time-code"
              className={inputClass}
            />
          )}
        </Field>
      )}
      <DialogActions>
        <Button look="outline" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('security.confirm.pending') : t('security.confirm.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

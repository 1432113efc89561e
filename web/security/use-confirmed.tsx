import '#web/platform/security-texts.ts';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { confirmSelfBody } from '#domain/auth/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import {
  isAboutCode,
  useConfirmSelf,
  wantsCode,
  wantsConfirmation,
} from '#web/security/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

/**
 * Does what changes how somebody signs in. Where the server wants it proved first that it is them, asks
 * for the password, and for a code where there is a second factor, and does it again. `dialog` is to be rendered.
 */
export function useConfirmed(): { run: (work: () => Promise<unknown>) => void; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ work: () => Promise<unknown> } | null>(null);
  const run = (work: () => Promise<unknown>) =>
    void work().catch((error: unknown) => {
      // Anything else was said by the mutation.
      if (wantsConfirmation(error)) setWaiting({ work });
    });
  const dialog = (
    <Dialog
      open={waiting !== null}
      onOpenChange={(open) => open || setWaiting(null)}
      title={t('security.confirm.title')}
      description={t('security.confirm.text')}
      closeLabel={t('common.close')}
    >
      <ConfirmForm
        onDone={() => {
          setWaiting(null);
          if (waiting) run(waiting.work);
        }}
        onCancel={() => setWaiting(null)}
      />
    </Dialog>
  );
  return { run, dialog };
}

function ConfirmForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { mutate, isPending } = useConfirmSelf();
  const [needsCode, setNeedsCode] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: formResolver(confirmSelfBody),
    defaultValues: { password: '' },
    // The code's field comes when the server asks for it.
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

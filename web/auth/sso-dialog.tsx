import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import type { SentBodyOf } from '#domain/contract.ts';
import { startSso, startSsoBody } from '#domain/sso/contract.ts';
import { nextPath } from '#web/auth/next-path.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface SsoDialogProps {
  /** The email that was typed into the sign-in form. */
  email: string;
  onClose: () => void;
}

export function SsoDialog({ email, onClose }: SsoDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('auth.sso.title')}
      description={t('auth.sso.text')}
      closeLabel={t('common.close')}
    >
      <SsoForm email={email} onClose={onClose} />
    </Dialog>
  );
}

const resolver = formResolver(startSsoBody.pick({ email: true }));

function SsoForm({ email, onClose }: SsoDialogProps) {
  const next = nextPath(useLocation().search, window.location.origin) ?? undefined;
  const { mutateAsync, isPending } = useStart();
  const { register, handleSubmit, formState } = useForm({
    resolver,
    defaultValues: { email },
  });
  const submit = useSubmitOnce(
    handleSubmit((given) => mutateAsync({ ...given, next }).then(() => undefined, saidByToast)),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field label={t('auth.fields.email')} error={formState.errors.email?.message}>
        {(input) => (
          <input
            {...input}
            {...register('email')}
            type="email"
            autoComplete="username"
            className={inputClass}
          />
        )}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('auth.sso.pending') : t('auth.sso.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Redirects to the identity provider, if there is one. */
const useStart = () =>
  useMutation({
    mutationFn: (body: SentBodyOf<typeof startSso>) => request(startSso, { body }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      const why = error instanceof ApiError ? error.serverMessage : undefined;
      toastFailure(error, why ?? error.message, t('auth.sso.failed'));
    },
  });

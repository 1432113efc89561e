import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { resetPasswordBody } from '#domain/auth/contract.ts';
import { resetFailure, type useResetPassword } from '#web/auth/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { PasswordWarning } from '#web/security/password-warning.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const { password } = resetPasswordBody.shape;
const form = z
  .object({ password, confirmPassword: password })
  .refine((given) => given.password === given.confirmPassword, {
    path: ['confirmPassword'],
    message: t('auth.reset.mismatch'),
  });
const fields = [
  { name: 'password', label: t('auth.reset.newPassword') },
  { name: 'confirmPassword', label: t('auth.reset.confirmPassword') },
] as const;

export function ResetPasswordForm({ reset }: { reset: ReturnType<typeof useResetPassword> }) {
  const { mutateAsync, isPending, error } = reset;
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(form),
    defaultValues: { password: '', confirmPassword: '' },
  });
  const submit = useSubmitOnce(
    handleSubmit((given) => mutateAsync({ password: given.password }).then(() => {}, saidByToast)),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {error && (
        <p
          role="alert"
          className="rounded-md border border-destructive/40 bg-destructive/8 px-3 py-2.5 text-sm text-destructive"
        >
          {resetFailure(error)}
        </p>
      )}
      {fields.map(({ name, label }) => (
        <Field key={name} label={label} error={formState.errors[name]?.message}>
          {(input) => (
            <PasswordInput
              {...input}
              {...register(name)}
              autoComplete="new-password"
              showLabel={t('auth.showPassword')}
              hideLabel={t('auth.hidePassword')}
            />
          )}
        </Field>
      ))}
      <PasswordWarning password={watch('password')} />
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('auth.reset.pending') : t('auth.reset.submit')}
      </Button>
    </form>
  );
}

import '#web/platform/profile-texts.ts';
import { useForm } from 'react-hook-form';
import { changePasswordBody } from '#domain/profile/contract.ts';
import { ApiError } from '#web/platform/api.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useChangePassword } from '#web/profile/queries.ts';
import { PasswordWarning } from '#web/security/password-warning.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const fields = [
  { name: 'currentPassword', label: t('profile.password.current'), kind: 'current-password' },
  { name: 'newPassword', label: t('profile.password.new'), kind: 'new-password' },
] as const;
const empty = { currentPassword: '', newPassword: '' };

export function PasswordForm() {
  const { mutate, isPending } = useChangePassword();
  const { register, handleSubmit, formState, reset, setError, watch } = useForm({
    resolver: formResolver(changePasswordBody),
    defaultValues: empty,
  });
  const { errors } = formState;
  /** Shows a wrong current password at its field. */
  const showRefusal = (error: unknown) => {
    const refused = error instanceof ApiError ? error.problem?.errors : undefined;
    for (const { name } of fields) {
      const found = refused?.find(({ path }) => path === name);
      if (found) setError(name, { message: found.message }, { shouldFocus: true });
    }
  };
  return (
    <form
      noValidate
      className="grid gap-4 p-5"
      onSubmit={handleSubmit((given) =>
        mutate(given, { onSuccess: () => reset(empty), onError: showRefusal }),
      )}
    >
      <p className="text-sm text-muted-foreground">{t('profile.password.text')}</p>
      {fields.map(({ name, label, kind }) => (
        <Field key={name} label={label} error={errors[name]?.message}>
          {(input) => (
            <PasswordInput
              {...input}
              {...register(name)}
              autoComplete={kind}
              showLabel={`${t('auth.showPassword')}: ${label}`}
              hideLabel={`${t('auth.hidePassword')}: ${label}`}
            />
          )}
        </Field>
      ))}
      <PasswordWarning password={watch('newPassword')} />
      <div className="flex justify-end">
        <Button type="submit" look="outline" disabled={isPending}>
          {isPending ? t('profile.password.pending') : t('profile.password.submit')}
        </Button>
      </div>
    </form>
  );
}

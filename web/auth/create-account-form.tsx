import { useForm } from 'react-hook-form';
import { registerBody } from '#domain/auth/contract.ts';
import { useRegister } from '#web/auth/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { PasswordWarning } from '#web/security/password-warning.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const empty = { firstName: '', lastName: '', email: '', password: '', orgName: '' };
const texts = [
  { name: 'firstName', type: 'text', autoComplete: 'given-name', half: true },
  { name: 'lastName', type: 'text', autoComplete: 'family-name', half: true },
  { name: 'email', type: 'email', autoComplete: 'username', half: false },
] as const;

export function CreateAccountForm() {
  const { mutateAsync, isPending } = useRegister();
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(registerBody),
    defaultValues: empty,
  });
  const { errors } = formState;
  const submit = useSubmitOnce(
    handleSubmit(({ orgName, ...person }) =>
      mutateAsync(orgName ? { ...person, orgName } : person).then(() => {}, saidByToast),
    ),
  );
  return (
    <form noValidate className="grid grid-cols-2 gap-4 *:col-span-2" onSubmit={submit}>
      {texts.map(({ name, type, autoComplete, half }) => (
        <div key={name} className={half ? 'col-span-1!' : undefined}>
          <Field label={t(`auth.fields.${name}`)} error={errors[name]?.message}>
            {(input) => (
              <input
                {...input}
                {...register(name)}
                type={type}
                autoComplete={autoComplete}
                className={inputClass}
              />
            )}
          </Field>
        </div>
      ))}
      <Field label={t('auth.fields.password')} error={errors.password?.message}>
        {(input) => (
          <PasswordInput
            {...input}
            {...register('password')}
            autoComplete="new-password"
            showLabel={t('auth.showPassword')}
            hideLabel={t('auth.hidePassword')}
          />
        )}
      </Field>
      <PasswordWarning password={watch('password')} />
      <Field
        label={t('auth.fields.orgName')}
        note={t('auth.fields.optional')}
        hint={t('auth.fields.orgNameHint')}
        error={errors.orgName?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('orgName')}
            autoComplete="organization"
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('auth.creatingAccount') : t('auth.createAccount')}
      </Button>
    </form>
  );
}

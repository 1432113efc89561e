import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { acceptInvitationBody } from '#domain/team/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { PasswordWarning } from '#web/security/password-warning.tsx';
import { useAcceptInvitation } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const texts = [
  { name: 'email', type: 'email', autoComplete: 'username', half: false },
  { name: 'firstName', type: 'text', autoComplete: 'given-name', half: true },
  { name: 'lastName', type: 'text', autoComplete: 'family-name', half: true },
] as const;

/** Creates the account of a person who was invited by `email`. */
export function InvitationForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useAcceptInvitation(token);
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(acceptInvitationBody),
    defaultValues: { email, firstName: '', lastName: '', password: '' },
  });
  const { errors } = formState;
  const toSignIn = () => navigate('/auth', { replace: true });
  const submit = useSubmitOnce(
    handleSubmit((person) => mutateAsync(person).then(toSignIn, saidByToast)),
  );
  return (
    <form noValidate className="grid grid-cols-2 gap-4 *:col-span-2" onSubmit={submit}>
      {texts.map(({ name, type, autoComplete, half }) => (
        <div key={name} className={half ? 'col-span-1!' : undefined}>
          <Field label={t(`invitation.fields.${name}`)} error={errors[name]?.message}>
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
      <Field label={t('invitation.fields.password')} error={errors.password?.message}>
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
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('invitation.pending') : t('invitation.submit')}
      </Button>
    </form>
  );
}

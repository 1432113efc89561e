import '#web/platform/security-texts.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { loginBody } from '#domain/auth/contract.ts';
import { ForgotPasswordDialog } from '#web/auth/forgot-password-dialog.tsx';
import { knownEmail } from '#web/auth/known-email.ts';
import { useLogin, wantsSecondFactor } from '#web/auth/queries.ts';
import { SecondFactorForm } from '#web/auth/second-factor-form.tsx';
import { SsoSignIn } from '#web/auth/sso-sign-in.tsx';
import { PasskeySignIn } from '#web/passkeys/passkey-sign-in.tsx';
import { useOfferedPasskeys } from '#web/passkeys/use-offered-passkeys.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

export function SignInForm() {
  const { mutateAsync, isPending } = useLogin();
  const [forgot, setForgot] = useState(false);
  const [secondStep, setSecondStep] = useState(false);
  useOfferedPasskeys();
  const location = useLocation();
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: formResolver(loginBody),
    defaultValues: { email: knownEmail(location), password: '' },
  });
  const { errors } = formState;
  const submit = useSubmitOnce(
    handleSubmit((credentials) =>
      mutateAsync(credentials).then(
        () => {},
        (error: unknown) => (wantsSecondFactor(error) ? setSecondStep(true) : saidByToast()),
      ),
    ),
  );
  if (secondStep) return <SecondFactorForm onBack={() => setSecondStep(false)} />;
  // The dialog is beside the form: inside it, React would bubble its submit into the outer form.
  return (
    <>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <Field label={t('auth.fields.email')} error={errors.email?.message}>
          {(input) => (
            <input
              {...input}
              {...register('email')}
              type="email"
              autoComplete="username webauthn"
              className={inputClass}
            />
          )}
        </Field>
        <Field label={t('auth.fields.password')} error={errors.password?.message}>
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
        <button
          type="button"
          onClick={() => setForgot(true)}
          className="-mt-1 w-fit justify-self-end rounded text-sm text-muted-foreground underline-offset-4 hover:text-foreground hover:underline"
        >
          {t('auth.forgot.link')}
        </button>
        <Button type="submit" disabled={isPending} className="mt-1 w-full">
          {isPending ? t('auth.signingIn') : t('auth.signIn')}
        </Button>
        <PasskeySignIn label={t('security.passkey.signIn')} />
      </form>
      <div className="mt-4 grid gap-4">
        <SsoSignIn email={() => getValues('email')} />
      </div>
      <ForgotPasswordDialog
        open={forgot}
        onClose={() => setForgot(false)}
        email={getValues('email')}
      />
    </>
  );
}

import '#web/platform/security-texts.ts';
import { useForm } from 'react-hook-form';
import { secondFactorBody } from '#domain/two-factor/contract.ts';
import { useSecondFactor } from '#web/auth/use-second-factor.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

/** The second step of signing in, in place of the first one on the card. */
export function SecondFactorForm({ onBack }: { onBack: () => void }) {
  const { mutateAsync, isPending } = useSecondFactor();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: formResolver(secondFactorBody),
    defaultValues: { code: '' },
  });
  const submit = useSubmitOnce(
    handleSubmit((given) =>
      mutateAsync(given).then(
        () => {},
        (error: unknown) =>
          setError(
            'code',
            { message: serverMessage(error, t('auth.loginFailed.title')) },
            { shouldFocus: true },
          ),
      ),
    ),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-1">
        <h2 className="text-base font-semibold">{t('security.secondStep.title')}</h2>
        <p className="text-sm text-muted-foreground">{t('security.secondStep.text')}</p>
      </div>
      <Field label={t('security.secondStep.code')} error={formState.errors.code?.message}>
        {(input) => (
          <input
            {...input}
            {...register('code')}
            // biome-ignore lint/a11y/noAutofocus: the step before was left a moment ago, for this.
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('security.secondStep.pending') : t('security.secondStep.submit')}
      </Button>
      <Button look="ghost" onClick={onBack}>
        {t('security.secondStep.back')}
      </Button>
    </form>
  );
}

import '#web/platform/security-texts.ts';
import { useForm } from 'react-hook-form';
import { secondFactorBody } from '#domain/two-factor/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { QrCode } from '#web/security/qr-code.tsx';
import { useConfirmTwoFactor } from '#web/security/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface TwoFactorSetupProps {
  started: { secret: string; uri: string };
  onCancel: () => void;
  onEnabled: (recoveryCodes: string[]) => void;
}

/** The secret as a QR code and as text, and the field for a first code. */
export function TwoFactorSetup({ started, onCancel, onEnabled }: TwoFactorSetupProps) {
  const { mutate, isPending } = useConfirmTwoFactor();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: formResolver(secondFactorBody),
    defaultValues: { code: '' },
  });
  const submit = handleSubmit((given) =>
    mutate(given, {
      onSuccess: ({ recoveryCodes }) => onEnabled(recoveryCodes),
      onError: (error) =>
        setError('code', { message: serverMessage(error, t('security.twoFactor.failed')) }),
    }),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-muted-foreground">{t('security.twoFactor.scan')}</p>
      <div className="flex flex-wrap items-start gap-5">
        <QrCode text={started.uri} />
        <div className="grid min-w-48 flex-1 gap-4">
          <div className="grid gap-1 text-sm">
            <span className="font-medium">{t('security.twoFactor.key')}</span>
            <code className="rounded bg-muted px-2 py-1.5 font-mono wrap-anywhere select-all">
              {started.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </code>
          </div>
          <Field label={t('security.twoFactor.code')} error={formState.errors.code?.message}>
            {(input) => (
              <input
                {...input}
                {...register('code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                className={inputClass}
              />
            )}
          </Field>
        </div>
      </div>
      <div className="flex justify-end gap-2">
        <Button look="outline" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('security.twoFactor.confirming') : t('security.twoFactor.confirm')}
        </Button>
      </div>
    </form>
  );
}

import { useForm } from 'react-hook-form';
import { type Retention, updateRetentionBody } from '#domain/privacy/contract.ts';
import { retentionKinds } from '#domain/privacy/retention.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { useUpdateRetention } from '#web/privacy/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

/** Days for each kind; an empty field keeps data forever. */
export function RetentionForm({ retention }: { retention: Retention }) {
  const { mutateAsync, isPending } = useUpdateRetention();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: formResolver(updateRetentionBody),
    defaultValues: retention,
  });
  const submit = useSubmitOnce(
    handleSubmit((given) => mutateAsync(given).then(reset, saidByToast)),
  );
  return (
    <form noValidate className="grid gap-4 p-5" onSubmit={submit}>
      <p className="text-sm text-muted-foreground">{t('privacy.retention.text')}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {retentionKinds.map((kind) => (
          <Field
            key={kind}
            label={t(`privacy.retention.kinds.${kind}`)}
            note={t('privacy.retention.days')}
            error={formState.errors[kind]?.message}
          >
            {(input) => (
              <input
                {...input}
                {...register(kind, {
                  setValueAs: (value) => (value === '' || value === null ? null : Number(value)),
                })}
                inputMode="numeric"
                autoComplete="off"
                placeholder={t('privacy.retention.forever')}
                className={inputClass}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="flex justify-end">
        <Button type="submit" disabled={isPending}>
          {isPending ? t('privacy.retention.saving') : t('privacy.retention.save')}
        </Button>
      </div>
      <LeaveWarning isUnsaved={formState.isDirty} />
    </form>
  );
}

import '#web/platform/player-texts.ts';
import { useForm } from 'react-hook-form';
import { type AiSettings, updateAiSettingsBody } from '#domain/ai-settings/contract.ts';
import { analyzerName } from '#web/ai/analyzer-text.ts';
import { useUpdateAiSettings } from '#web/ai-settings/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const numberOrNull = (value: unknown) => (value === '' || value === null ? null : Number(value));
const inputOf = ({ provider, monthlyTokens, monthlyCost }: AiSettings) => ({
  provider: provider ?? '',
  monthlyTokens,
  monthlyCost,
});

/** The choice of an analyzer, and its monthly budget. */
export function AiSettingsForm({ settings }: { settings: AiSettings }) {
  const { mutateAsync, isPending } = useUpdateAiSettings();
  const { register, handleSubmit, formState, reset, watch } = useForm({
    resolver: formResolver(updateAiSettingsBody),
    defaultValues: inputOf(settings),
  });
  const submit = useSubmitOnce(
    handleSubmit(({ provider, ...budget }) =>
      mutateAsync({ ...budget, provider: provider || null }).then(
        (saved) => reset(inputOf(saved)),
        saidByToast,
      ),
    ),
  );
  const isPriced = settings.providers.every((one) => one.isPriced);
  const chosen = watch('provider') || settings.standardProvider;
  return (
    <form noValidate className="grid gap-4 p-5" onSubmit={submit}>
      <Field label={t('assistant.settings.analyzerText')} hint={consequence(settings, chosen)}>
        {(input) => (
          <Select {...input} {...register('provider')}>
            <option value="">
              {t('assistant.settings.standard', { name: analyzerName(settings.standardProvider) })}
            </option>
            {settings.providers.map(({ id, model }) => (
              <option key={id} value={id}>
                {model === null
                  ? analyzerName(id)
                  : t('assistant.settings.choice', { name: analyzerName(id), model })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={t('assistant.settings.tokens')}
          hint={budgetHint(settings)}
          error={formState.errors.monthlyTokens?.message}
        >
          {(input) => (
            <input
              {...input}
              {...register('monthlyTokens', { setValueAs: numberOrNull })}
              inputMode="numeric"
              autoComplete="off"
              placeholder={t('assistant.settings.noLimit')}
              className={inputClass}
            />
          )}
        </Field>
        {isPriced && (
          <Field
            label={t('assistant.settings.cost', { currency: settings.currency })}
            error={formState.errors.monthlyCost?.message}
          >
            {(input) => (
              <input
                {...input}
                {...register('monthlyCost', { setValueAs: numberOrNull })}
                inputMode="decimal"
                autoComplete="off"
                placeholder={t('assistant.settings.noLimit')}
                className={inputClass}
              />
            )}
          </Field>
        )}
      </div>
      <div className="flex justify-end">
        <Button type="submit" disabled={isPending}>
          {isPending ? t('assistant.settings.saving') : t('assistant.settings.save')}
        </Button>
      </div>
      <LeaveWarning isUnsaved={formState.isDirty} />
    </form>
  );
}

/** Says what leaves the server. */
function consequence({ providers }: AiSettings, chosen: string): string {
  const host = providers.find(({ id }) => id === chosen)?.host;
  return host ? t('assistant.settings.leaves', { host }) : t('assistant.settings.staysHere');
}

function budgetHint({ operatorTokens }: AiSettings): string {
  const hint = t('assistant.settings.budgetHint');
  if (operatorTokens === null) return hint;
  return `${hint} ${t('assistant.settings.operatorLimit', { tokens: operatorTokens })}`;
}

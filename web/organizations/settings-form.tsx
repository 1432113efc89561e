import { FormProvider } from 'react-hook-form';
import {
  type Organization,
  plans,
  updateOrganizationBody,
} from '#domain/organizations/contract.ts';
import { BrandColorField } from '#web/organizations/brand-color-field.tsx';
import { useUpdateOrganization } from '#web/organizations/queries.ts';
import type { SettingsValues } from '#web/organizations/settings-values.ts';
import { isRefusal } from '#web/platform/api.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const valuesOf = ({ name, brandColor, plan }: Organization): SettingsValues => ({
  name,
  brandColor,
  plan,
});

const resolver = formResolver(updateOrganizationBody);

interface SettingsFormProps {
  organization: Organization;
  readOnly: boolean;
}

export function SettingsForm({ organization, readOnly }: SettingsFormProps) {
  const { mutateAsync, isPending } = useUpdateOrganization(organization.id);
  const { form, submit, failure, isRestored, startOver, discard } = useDraftForm({
    draft: `settings:${organization.id}`,
    resolver,
    values: valuesOf(organization),
    send: (values) => mutateAsync(values),
    onSent: (saved) => form.reset(valuesOf(saved)),
  });
  const { register, formState } = form;
  const { errors, isDirty } = formState;
  const refusal = isRefusal(failure) ? failure.serverMessage : undefined;
  return (
    <FormProvider {...form}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <RestoredNote shown={isRestored} startOver={startOver} />
        <fieldset disabled={readOnly} className="grid gap-5 md:grid-cols-2">
          <Field label={t('settings.name')} error={errors.name?.message}>
            {(input) => (
              <input
                {...input}
                {...register('name')}
                autoComplete="organization"
                className={inputClass}
              />
            )}
          </Field>
          <Field label={t('settings.plan')} error={errors.plan?.message}>
            {(input) => (
              <Select {...input} {...register('plan')}>
                {plans.map((plan) => (
                  <option key={plan} value={plan}>
                    {t(`settings.plans.${plan}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <BrandColorField saved={organization.brandColor} />
          <div className="md:col-span-2 empty:hidden">
            <SubmitFailure failure={failure} />
          </div>
          {!readOnly && (
            <div className="flex flex-wrap items-center justify-end gap-3 md:col-span-2">
              {refusal && (
                <p role="alert" className="text-sm text-destructive">
                  {refusal}
                </p>
              )}
              <Button type="submit" disabled={isPending}>
                {isPending ? t('settings.saving') : t('settings.save')}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
      <LeaveWarning isUnsaved={isDirty && !readOnly} onLeave={discard} />
    </FormProvider>
  );
}

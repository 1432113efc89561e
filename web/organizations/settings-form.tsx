import { FormProvider, useForm } from 'react-hook-form';
import {
  type Organization,
  plans,
  updateOrganizationBody,
} from '#domain/organizations/contract.ts';
import { BrandColorField } from '#web/organizations/brand-color-field.tsx';
import { useUpdateOrganization } from '#web/organizations/queries.ts';
import { isRefusal } from '#web/platform/api.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

export type SettingsValues = Pick<Organization, 'name' | 'brandColor' | 'plan'>;

const valuesOf = ({ name, brandColor, plan }: Organization): SettingsValues => ({
  name,
  brandColor,
  plan,
});

interface SettingsFormProps {
  organization: Organization;
  readOnly: boolean;
}

export function SettingsForm({ organization, readOnly }: SettingsFormProps) {
  const { mutate, isPending, error } = useUpdateOrganization(organization.id);
  const form = useForm<SettingsValues>({
    resolver: formResolver(updateOrganizationBody),
    defaultValues: valuesOf(organization),
  });
  const { register, handleSubmit, formState, reset } = form;
  const { errors, isDirty } = formState;
  const refusal = isRefusal(error) ? error.serverMessage : undefined;
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={handleSubmit((values) =>
          mutate(values, { onSuccess: (saved) => reset(valuesOf(saved)) }),
        )}
      >
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
      <LeaveWarning isUnsaved={isDirty && !readOnly} />
    </FormProvider>
  );
}

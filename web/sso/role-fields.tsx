import { Plus, X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { ssoRoles } from '#domain/sso/contract.ts';
import { t } from '#web/platform/texts.ts';
import type { ConnectionValues } from '#web/sso/connection-values.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const choices = ssoRoles.map((role) => (
  <option key={role} value={role}>
    {t(`team.roles.${role}`)}
  </option>
));

/** The role rules: the default, and the role for each claim of the provider. */
export function RoleFields() {
  const { register, control, formState } = useFormContext<ConnectionValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'roleRules' });
  const { errors } = formState;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-sm font-semibold">{t('sso.form.roles')}</legend>
      <Field label={t('sso.form.defaultRole')} error={errors.defaultRole?.message}>
        {(input) => (
          <Select {...input} {...register('defaultRole')}>
            {choices}
          </Select>
        )}
      </Field>
      <Field
        label={t('sso.form.roleClaim')}
        hint={t('sso.form.roleClaimHint')}
        error={errors.roleClaim?.message}
      >
        {(input) => (
          <input {...input} {...register('roleClaim')} autoComplete="off" className={inputClass} />
        )}
      </Field>
      {fields.length > 0 && <p className="text-sm font-medium">{t('sso.form.rules')}</p>}
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <input
              {...register(`roleRules.${index}.value`)}
              aria-label={t('sso.form.value')}
              aria-invalid={errors.roleRules?.[index]?.value !== undefined}
              autoComplete="off"
              className={inputClass}
            />
            {errors.roleRules?.[index]?.value && (
              <p role="alert" className="mt-1 text-sm text-destructive">
                {errors.roleRules[index].value.message}
              </p>
            )}
          </div>
          <div className="w-32">
            <Select {...register(`roleRules.${index}.role`)} aria-label={t('sso.form.role')}>
              {choices}
            </Select>
          </div>
          <Button
            look="ghost"
            size="small"
            aria-label={t('sso.form.removeRule')}
            onClick={() => remove(index)}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      <Button
        look="outline"
        size="small"
        className="w-fit"
        onClick={() => append({ value: '', role: 'AGENT' })}
      >
        <Plus aria-hidden className="size-4" />
        {t('sso.form.addRule')}
      </Button>
    </fieldset>
  );
}

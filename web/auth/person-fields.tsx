import type { UseFormRegisterReturn } from 'react-hook-form';
import { t } from '#web/platform/texts.ts';
import { PasswordWarning } from '#web/security/password-warning.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const kinds = {
  email: { type: 'email', autoComplete: 'username', half: false },
  firstName: { type: 'text', autoComplete: 'given-name', half: true },
  lastName: { type: 'text', autoComplete: 'family-name', half: true },
} as const;
type Name = keyof typeof kinds;

interface PersonFieldsProps {
  /** In the order of the page. */
  names: readonly Name[];
  labelOf: (name: Name | 'password') => string;
  register: (name: Name | 'password') => UseFormRegisterReturn;
  errors: Partial<Record<Name | 'password', { message?: string | undefined }>>;
  /** As typed so far. */
  password: string;
}

/** The fields of a new account's person, for a form in two columns. */
export function PersonFields({ names, labelOf, register, errors, password }: PersonFieldsProps) {
  return (
    <>
      {names.map((name) => {
        const { half, ...attributes } = kinds[name];
        return (
          <div key={name} className={half ? 'col-span-1!' : undefined}>
            <Field label={labelOf(name)} error={errors[name]?.message}>
              {(input) => (
                <input {...input} {...register(name)} {...attributes} className={inputClass} />
              )}
            </Field>
          </div>
        );
      })}
      <Field label={labelOf('password')} error={errors.password?.message}>
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
      <PasswordWarning password={password} />
    </>
  );
}

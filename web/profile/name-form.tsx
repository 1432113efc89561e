import '#web/platform/profile-texts.ts';
import { useForm } from 'react-hook-form';
import { registerBody } from '#domain/auth/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LeaveWarning } from '#web/platform/leave-warning.tsx';
import { t } from '#web/platform/texts.ts';
import { useUpdateProfile } from '#web/profile/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const names = registerBody.pick({ firstName: true, lastName: true });
const fields = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
] as const;

export function NameForm() {
  const { firstName, lastName, email } = useUser();
  const { mutate, isPending } = useUpdateProfile();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: formResolver(names),
    defaultValues: { firstName, lastName },
  });
  return (
    <form
      noValidate
      className="grid gap-4 p-5 sm:grid-cols-2"
      onSubmit={handleSubmit((given) =>
        mutate(given, {
          onSuccess: (saved) => reset({ firstName: saved.firstName, lastName: saved.lastName }),
        }),
      )}
    >
      {fields.map(({ name, autoComplete }) => (
        <Field key={name} label={t(`profile.${name}`)} error={formState.errors[name]?.message}>
          {(input) => (
            <input
              {...input}
              {...register(name)}
              autoComplete={autoComplete}
              className={inputClass}
            />
          )}
        </Field>
      ))}
      <div className="sm:col-span-2">
        <Field label={t('profile.email')} hint={t('profile.emailHint')}>
          {(input) => (
            <input {...input} value={email} readOnly type="email" className={inputClass} />
          )}
        </Field>
      </div>
      <div className="flex justify-end sm:col-span-2">
        <Button type="submit" disabled={isPending}>
          {isPending ? t('profile.saving') : t('profile.save')}
        </Button>
      </div>
      <LeaveWarning isUnsaved={formState.isDirty} />
    </form>
  );
}

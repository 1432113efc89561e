import { useForm } from 'react-hook-form';
import { registerBody } from '#domain/auth/contract.ts';
import { PersonFields } from '#web/auth/person-fields.tsx';
import { useRegister } from '#web/auth/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const empty = { firstName: '', lastName: '', email: '', password: '', orgName: '' };

export function CreateAccountForm() {
  const { mutateAsync, isPending } = useRegister();
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(registerBody),
    defaultValues: empty,
  });
  const { errors } = formState;
  const submit = useSubmitOnce(
    handleSubmit(({ orgName, ...person }) =>
      mutateAsync(orgName ? { ...person, orgName } : person).then(() => {}, saidByToast),
    ),
  );
  return (
    <form noValidate className="grid grid-cols-2 gap-4 *:col-span-2" onSubmit={submit}>
      <PersonFields
        names={['firstName', 'lastName', 'email']}
        labelOf={(name) => t(`auth.fields.${name}`)}
        register={register}
        errors={errors}
        password={watch('password')}
      />
      <Field
        label={t('auth.fields.orgName')}
        note={t('auth.fields.optional')}
        hint={t('auth.fields.orgNameHint')}
        error={errors.orgName?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('orgName')}
            autoComplete="organization"
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('auth.creatingAccount') : t('auth.createAccount')}
      </Button>
    </form>
  );
}

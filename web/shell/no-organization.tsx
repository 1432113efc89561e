import { Building2 } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { createOrganization } from '#domain/organizations/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useCreateOrganization } from '#web/profile/queries.ts';
import { UserFooter } from '#web/shell/user-footer.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

/** Offers to create an organization, for a member who was removed. */
export default function NoOrganization() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <Card className="w-full max-w-md">
        <div className="grid gap-5 p-6">
          <div className="grid justify-items-center gap-3 text-center">
            <span className="grid size-11 place-items-center rounded-xl bg-muted text-muted-foreground">
              <Building2 aria-hidden className="size-5" />
            </span>
            <div className="grid gap-1">
              <h1 className="text-base font-semibold">{t('shell.noOrganization.title')}</h1>
              <p className="text-sm text-balance text-muted-foreground">
                {t('shell.noOrganization.text')}
              </p>
            </div>
          </div>
          <CreateOrganizationForm />
        </div>
        <UserFooter />
      </Card>
    </main>
  );
}

function CreateOrganizationForm() {
  const { mutate, isPending } = useCreateOrganization();
  const { register, handleSubmit, formState } = useForm({
    resolver: formResolver(createOrganization.body),
    defaultValues: { name: '' },
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={handleSubmit((given) => mutate(given))}>
      <Field label={t('shell.noOrganization.name')} error={formState.errors.name?.message}>
        {(input) => (
          <input
            {...input}
            {...register('name')}
            placeholder={t('shell.noOrganization.nameExample')}
            autoComplete="organization"
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" disabled={isPending} className="w-full">
        {isPending ? t('shell.noOrganization.pending') : t('shell.noOrganization.submit')}
      </Button>
    </form>
  );
}

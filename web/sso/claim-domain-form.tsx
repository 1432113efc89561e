import { claimDomainBody } from '#domain/sso/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useClaimDomain } from '#web/sso/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(claimDomainBody);

export function ClaimDomainForm() {
  const { mutateAsync, isPending } = useClaimDomain();
  const { form, submit } = useDraftForm({
    draft: 'sso-domain:new',
    resolver,
    values: { domain: '' },
    send: (body) => mutateAsync(body),
    onSent: () => form.reset({ domain: '' }),
  });
  const { register, formState } = form;
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex flex-wrap items-start gap-3 border-t px-5 py-4"
    >
      <div className="min-w-56 flex-1">
        <Field label={t('sso.domains.field')} error={formState.errors.domain?.message}>
          {(input) => (
            <input
              {...input}
              {...register('domain')}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              placeholder={t('sso.domains.example')}
              className={inputClass}
            />
          )}
        </Field>
      </div>
      <Button type="submit" look="outline" disabled={isPending} className="mt-6.5">
        {isPending ? t('sso.domains.claiming') : t('sso.domains.claim')}
      </Button>
    </form>
  );
}

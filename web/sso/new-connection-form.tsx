import type { z } from 'zod';
import { createConnectionBody, type SsoConnection, ssoKinds } from '#domain/sso/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCreateConnection } from '#web/sso/queries.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const resolver = formResolver(createConnectionBody);
const empty: z.input<typeof createConnectionBody> = { kind: 'oidc', name: '' };

export function NewConnectionForm({ onMade }: { onMade: (made: SsoConnection) => void }) {
  const { mutateAsync, isPending } = useCreateConnection();
  const draftForm = useDraftForm({
    draft: 'sso-connection:new',
    resolver,
    values: empty,
    send: (body) => mutateAsync(body),
    onSent: onMade,
  });
  const { register, formState } = draftForm.form;
  const { errors } = formState;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('sso.connections.create'), pending: t('sso.connections.creating') }}
    >
      <Field
        label={t('sso.connections.name')}
        hint={t('sso.connections.nameHint')}
        error={errors.name?.message}
      >
        {(input) => (
          <input {...input} {...register('name')} autoComplete="off" className={inputClass} />
        )}
      </Field>
      <Field label={t('sso.connections.kind')} error={errors.kind?.message}>
        {(input) => (
          <Select {...input} {...register('kind')}>
            {ssoKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`sso.connections.kinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </DraftForm>
  );
}

import type { z } from 'zod';
import { createTokenBody, type MadeScimToken, tokenLives } from '#domain/scim/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LifeField } from '#web/platform/life-field.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCreateToken } from '#web/scim/queries.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(createTokenBody);
const empty: z.input<typeof createTokenBody> = { name: '', expiresInDays: 365 };

export function TokenForm({ onMade }: { onMade: (made: MadeScimToken) => void }) {
  const { mutateAsync, isPending } = useCreateToken();
  const draftForm = useDraftForm({
    draft: 'scim-token:new',
    resolver,
    values: empty,
    send: (given) => mutateAsync(given),
    onSent: onMade,
  });
  const { register, formState } = draftForm.form;
  const { errors } = formState;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('scim.token.submit'), pending: t('scim.token.pending') }}
    >
      <Field
        label={t('scim.token.name')}
        hint={t('scim.token.nameHint')}
        error={errors.name?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('name')}
            autoComplete="off"
            placeholder={t('scim.token.nameExample')}
            className={inputClass}
          />
        )}
      </Field>
      <LifeField
        lives={tokenLives}
        register={(options) => register('expiresInDays', options)}
        texts={{
          label: t('scim.token.life'),
          days: (count) => t('scim.token.days', { count }),
          forever: t('scim.token.forever'),
        }}
        error={errors.expiresInDays?.message}
      />
    </DraftForm>
  );
}

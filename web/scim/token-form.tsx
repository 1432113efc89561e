import type { z } from 'zod';
import { createTokenBody, type MadeScimToken, tokenLives } from '#domain/scim/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCreateToken } from '#web/scim/queries.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const resolver = formResolver(createTokenBody);
const empty: z.input<typeof createTokenBody> = { name: '', expiresInDays: 365 };
const readDays = (value: unknown) =>
  tokenLives.find((days) => String(days) === String(value)) ?? null;

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
      <Field label={t('scim.token.life')} error={errors.expiresInDays?.message}>
        {(input) => (
          <Select {...input} {...register('expiresInDays', { setValueAs: readDays })}>
            {tokenLives.map((days) => (
              <option key={days} value={days}>
                {t('scim.token.days', { count: days })}
              </option>
            ))}
            <option value="">{t('scim.token.forever')}</option>
          </Select>
        )}
      </Field>
    </DraftForm>
  );
}

import type { z } from 'zod';
import { createTokenBody, type MadeScimToken, tokenLives } from '#domain/scim/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useCreateToken } from '#web/scim/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const resolver = formResolver(createTokenBody);
const empty: z.input<typeof createTokenBody> = { name: '', expiresInDays: 365 };
const readDays = (value: unknown) =>
  tokenLives.find((days) => String(days) === String(value)) ?? null;

export function TokenForm({ onMade }: { onMade: (made: MadeScimToken) => void }) {
  const { mutateAsync, isPending } = useCreateToken();
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft: 'scim-token:new',
    resolver,
    values: empty,
    send: (given) => mutateAsync(given),
    onSent: onMade,
  });
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
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
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('scim.token.pending') : t('scim.token.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

import '#web/platform/links-texts.ts';
import { z } from 'zod';
import type { RoomId } from '#domain/ids.ts';
import { createLinkBody } from '#domain/links/contract.ts';
import { useCreateLink } from '#web/links/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

const expiries = ['never', 'days', 'date'] as const;
const fields = z.object({
  name: z.string(),
  expiry: z.enum(expiries),
  expiresInDays: z.string(),
  expiresAt: z.string(),
  singleUse: z.boolean(),
});
type Values = z.infer<typeof fields>;

/** The field's value is in the reader's time zone. */
const asIso = (local: string) =>
  Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString();

const bodyOf = ({ name, expiry, expiresInDays, expiresAt, singleUse }: Values) => ({
  name,
  singleUse,
  ...(expiry === 'days' && { expiresInDays: Number(expiresInDays) }),
  ...(expiry === 'date' && { expiresAt: asIso(expiresAt) }),
});
const resolver = formResolver(
  fields.check((given) => {
    for (const { path, message } of createLinkBody.safeParse(bodyOf(given.value)).error?.issues ??
      [])
      given.issues.push({ code: 'custom', message, path, input: given.value });
  }),
);

const empty: Values = {
  name: '',
  expiry: 'never',
  expiresInDays: '7',
  expiresAt: '',
  singleUse: false,
};

export function NewLinkForm({ id }: { id: RoomId }) {
  const { mutateAsync, isPending } = useCreateLink(id);
  const { form, submit, failure } = useDraftForm({
    draft: `link:${id}`,
    resolver,
    values: empty,
    send: (values: Values) => mutateAsync(bodyOf(values)),
    onSent: () => form.reset(empty),
  });
  const { register, watch, formState } = form;
  const { errors } = formState;
  const expiry = watch('expiry');
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field label={t('links.new.name')} error={errors.name?.message}>
        {(input) => (
          <input
            {...input}
            {...register('name')}
            placeholder={t('links.new.nameExample')}
            className={inputClass}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('links.new.expiry')}>
          {(input) => (
            <Select {...input} {...register('expiry')} value={expiry}>
              {expiries.map((choice) => (
                <option key={choice} value={choice}>
                  {t(`links.new.expiries.${choice}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {expiry === 'days' && (
          <Field label={t('links.new.days')} error={errors.expiresInDays?.message}>
            {(input) => (
              <input
                {...input}
                {...register('expiresInDays')}
                type="number"
                min={1}
                max={365}
                className={inputClass}
              />
            )}
          </Field>
        )}
        {expiry === 'date' && (
          <Field label={t('links.new.date')} error={errors.expiresAt?.message}>
            {(input) => (
              <input
                {...input}
                {...register('expiresAt')}
                type="datetime-local"
                className={inputClass}
              />
            )}
          </Field>
        )}
      </div>
      <SwitchField label={t('links.new.single')} hint={t('links.new.singleText')}>
        {(input) => <input {...input} {...register('singleUse')} />}
      </SwitchField>
      <SubmitFailure failure={failure} />
      <Button type="submit" className="justify-self-end" disabled={isPending}>
        {isPending ? t('links.new.pending') : t('links.new.submit')}
      </Button>
    </form>
  );
}

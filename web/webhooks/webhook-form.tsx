import '#web/platform/webhook-texts.ts';
import { useId } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { type MadeWebhook, type Webhook, webhookBody } from '#domain/webhooks/contract.ts';
import { webhookEventTypes } from '#domain/webhooks/event-types.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { useCreateWebhook, useSaveWebhook } from '#web/webhooks/queries.ts';

type Values = z.input<typeof webhookBody>;
type Sent = z.infer<typeof webhookBody>;

const resolver = formResolver(webhookBody);
const empty: Values = { url: '', description: '', events: ['call.ended'] };

export function NewWebhookForm({ onMade }: { onMade: (made: MadeWebhook) => void }) {
  const { mutateAsync, isPending } = useCreateWebhook();
  const draftForm = useDraftForm({
    draft: 'webhook:new',
    resolver,
    values: empty,
    send: (sent) => mutateAsync(sent),
    onSent: onMade,
  });
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('webhooks.form.submit'), pending: t('webhooks.form.pending') }}
    >
      <Fields form={draftForm.form} />
    </DraftForm>
  );
}

export function EditWebhookForm({ webhook, onSaved }: { webhook: Webhook; onSaved: () => void }) {
  const { mutateAsync, isPending } = useSaveWebhook(webhook);
  const { id, url, description, events } = webhook;
  const values: Values = { url, description, events };
  const draftForm = useDraftForm({
    draft: `webhook:${id}`,
    resolver,
    values,
    send: (sent) => mutateAsync(sent),
    onSent: onSaved,
  });
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('webhooks.form.save'), pending: t('webhooks.form.pending') }}
    >
      <Fields form={draftForm.form} />
    </DraftForm>
  );
}

function Fields({ form: { register, formState } }: { form: UseFormReturn<Values, unknown, Sent> }) {
  const { errors } = formState;
  return (
    <>
      <Field
        label={t('webhooks.form.url')}
        hint={t('webhooks.form.urlHint')}
        error={errors.url?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('url')}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://example.com/webhooks"
            className={inputClass}
          />
        )}
      </Field>
      <Field
        label={t('webhooks.form.description')}
        note={t('webhooks.form.optional')}
        error={errors.description?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('description')}
            autoComplete="off"
            placeholder={t('webhooks.form.descriptionExample')}
            className={inputClass}
          />
        )}
      </Field>
      <EventChoice register={register} error={errors.events?.message} />
    </>
  );
}

function EventChoice({
  register,
  error,
}: {
  register: UseFormReturn<Values, unknown, Sent>['register'];
  error: string | undefined;
}) {
  const errorId = useId();
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t('webhooks.form.events')}</legend>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {webhookEventTypes.map((type) => (
          <label key={type} className="flex min-h-8 items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              value={type}
              {...register('events')}
              className="size-4 shrink-0 accent-brand-edge"
            />
            {t(`webhooks.type.${type}`)}
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} role="alert" className="mt-1.5 text-sm text-destructive">
          {error}
        </p>
      )}
    </fieldset>
  );
}

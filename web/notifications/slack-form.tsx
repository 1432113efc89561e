import '#web/platform/webhook-texts.ts';
import '#web/platform/profile-texts.ts';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { languages } from '#domain/languages.ts';
import { type SlackChannel, slackChannelBody } from '#domain/slack/contract.ts';
import { useAddSlackChannel, useSaveSlackChannel } from '#web/notifications/queries.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { german } from '#web/texts/german.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** A select's value is a text; none turns the event off. */
const withLowScore = slackChannelBody.extend({
  callEnded: z.boolean(),
  lowScore: z.string().transform((text) => (text === '' ? null : Number(text))),
  language: z.enum(languages),
});
const withKeptAddress = withLowScore.extend({
  secretAddress: z.literal('').or(slackChannelBody.shape.secretAddress),
});
type Values = z.input<typeof withLowScore>;
type Sent = z.infer<typeof withLowScore>;

const newResolver = formResolver(withLowScore);
const editResolver = formResolver(withKeptAddress);
const scores = Array.from({ length: 10 }, (_, score) => String(score));

const empty = (): Values => ({
  name: '',
  secretAddress: '',
  callEnded: true,
  lowScore: '6',
  language: german ? 'de' : 'en',
});

export function NewSlackForm({ onSaved }: { onSaved: () => void }) {
  const { mutateAsync, isPending } = useAddSlackChannel();
  const draftForm = useDraftForm({
    draft: 'slack:new',
    resolver: newResolver,
    values: empty(),
    send: (sent) => mutateAsync(sent),
    onSent: onSaved,
  });
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{
        submit: t('notifications.slack.form.submit'),
        pending: t('notifications.slack.form.pending'),
      }}
    >
      <Fields form={draftForm.form} />
    </DraftForm>
  );
}

interface EditSlackFormProps {
  channel: SlackChannel;
  onSaved: () => void;
}

export function EditSlackForm({ channel, onSaved }: EditSlackFormProps) {
  const { mutateAsync, isPending } = useSaveSlackChannel(channel);
  const { id, name, callEnded, lowScore, language } = channel;
  const draftForm = useDraftForm({
    draft: `slack:${id}`,
    resolver: editResolver,
    values: { name, secretAddress: '', callEnded, lowScore: String(lowScore ?? ''), language },
    send: ({ secretAddress, ...sent }) =>
      mutateAsync(secretAddress === '' ? sent : { ...sent, secretAddress }),
    onSent: onSaved,
  });
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{
        submit: t('notifications.slack.form.save'),
        pending: t('notifications.slack.form.pending'),
      }}
    >
      <Fields form={draftForm.form} addressEnd={channel.addressEnd} />
    </DraftForm>
  );
}

interface FieldsProps {
  form: UseFormReturn<Values, unknown, Sent>;
  /** Of a channel that has an address already. */
  addressEnd?: string;
}

function Fields({ form: { register, formState }, addressEnd }: FieldsProps) {
  const { errors } = formState;
  return (
    <>
      <Field label={t('notifications.slack.form.name')} error={errors.name?.message}>
        {(input) => (
          <input
            {...input}
            {...register('name')}
            autoComplete="off"
            placeholder={t('notifications.slack.form.nameExample')}
            className={inputClass}
          />
        )}
      </Field>
      <Field
        label={t(
          addressEnd ? 'notifications.slack.form.newAddress' : 'notifications.slack.form.address',
        )}
        hint={
          addressEnd
            ? t('notifications.slack.form.newAddressHint', { end: addressEnd })
            : t('notifications.slack.form.addressHint')
        }
        error={errors.secretAddress?.message}
      >
        {(input) => (
          <input
            {...input}
            {...register('secretAddress')}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://hooks.slack.com/services/…"
            className={inputClass}
          />
        )}
      </Field>
      <SwitchField
        label={t('notifications.slack.form.callEnded')}
        hint={t('notifications.slack.form.callEndedHint')}
      >
        {(input) => <input {...input} {...register('callEnded')} />}
      </SwitchField>
      <Field label={t('notifications.slack.form.lowScore')}>
        {(input) => (
          <Select {...input} {...register('lowScore')}>
            <option value="">{t('notifications.slack.form.lowScoreOff')}</option>
            {scores.map((score) => (
              <option key={score} value={score}>
                {t('notifications.slack.form.lowScoreUpTo', { score })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('notifications.slack.form.language')}>
        {(input) => (
          <Select {...input} {...register('language')}>
            {languages.map((name) => (
              <option key={name} value={name} lang={name}>
                {t(`profile.languages.${name}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

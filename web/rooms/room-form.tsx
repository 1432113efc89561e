import { type FormEvent, useRef } from 'react';
import { z } from 'zod';
import { email } from '#domain/auth/contract.ts';
import { playbookId } from '#domain/ids.ts';
import { createRoomBody, type Room } from '#domain/rooms/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useAllPlaybooks } from '#web/playbooks/queries.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

const none = 'none';
/** The choice 'none' is sent as absent (spec section 5). */
const form = z.object({
  topic: createRoomBody.shape.topic,
  playbookId: z.union([z.literal(none), playbookId]),
  lobby: z.boolean(),
  customerEmail: z.union([z.literal(''), email], { error: 'Please enter a valid email address' }),
});
const resolver = formResolver(form);

export interface RoomChoice {
  topic: string;
  playbookId: Room['playbookId'];
  lobby: boolean;
  customerEmail: string | null;
}

interface RoomFormProps<Answer> {
  draft: string;
  room?: Pick<Room, 'topic' | 'playbookId' | 'playbook' | 'lobbySince' | 'customerEmail'>;
  texts: { submit: string; pending: string };
  isPending: boolean;
  send: (choice: RoomChoice) => Promise<Answer>;
  onSent: (answer: Answer) => void;
  /** Another button that sends the form, and what follows then. */
  other?: { label: string; onSent: (answer: Answer) => void };
}

export function RoomForm<Answer>(props: RoomFormProps<Answer>) {
  const { draft, room, texts, isPending, send, onSent, other } = props;
  const chosen = useRef(onSent);
  const playbooks = useAllPlaybooks();
  const draftForm = useDraftForm({
    draft,
    resolver,
    values: {
      topic: room?.topic ?? '',
      playbookId: room?.playbookId ?? none,
      lobby: (room?.lobbySince ?? null) !== null,
      customerEmail: room?.customerEmail ?? '',
    } satisfies z.input<typeof form>,
    send: ({ playbookId: playbook, customerEmail, ...choice }: z.output<typeof form>) =>
      send({
        ...choice,
        playbookId: playbook === none ? null : playbook,
        customerEmail: customerEmail || null,
      }),
    onSent: (answer) => chosen.current(answer),
  });
  const submitThen = (next: typeof onSent) => (event?: FormEvent) => {
    chosen.current = next;
    return draftForm.submit(event);
  };
  const { register, formState, watch } = draftForm.form;
  // The room's current playbook remains a choice, even if it is archived.
  const own = playbooks.data?.some(({ id }) => id === room?.playbookId) ? null : room?.playbook;
  const choosable = playbooks.data?.filter(({ sample }) => !sample) ?? [];
  const choices = [...(own ? [own] : []), ...choosable];
  return (
    <DraftForm
      draft={{ ...draftForm, submit: submitThen(onSent) }}
      isPending={isPending}
      texts={texts}
      other={other && { label: other.label, submit: submitThen(other.onSent) }}
    >
      <Field label={t('rooms.dialog.topic')} error={formState.errors.topic?.message}>
        {(input) => (
          <input
            {...input}
            {...register('topic')}
            placeholder={t('rooms.dialog.topicExample')}
            className={inputClass}
          />
        )}
      </Field>
      <Field
        label={t('rooms.dialog.playbook')}
        note={t('auth.fields.optional')}
        hint={playbooks.error ? t('rooms.dialog.playbooksFailed') : undefined}
        error={formState.errors.playbookId?.message}
      >
        {(input) => (
          <Select {...input} {...register('playbookId')} value={watch('playbookId')}>
            <option value={none}>{t('rooms.dialog.noPlaybook')}</option>
            {choices.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SwitchField label={t('rooms.dialog.lobby')} hint={t('rooms.dialog.lobbyText')}>
        {(input) => <input {...input} {...register('lobby')} />}
      </SwitchField>
      {room && (
        <Field
          label={t('rooms.dialog.customer')}
          note={t('auth.fields.optional')}
          hint={t('rooms.dialog.customerText')}
          error={formState.errors.customerEmail?.message}
        >
          {(input) => (
            <input
              {...input}
              {...register('customerEmail')}
              type="email"
              autoComplete="off"
              className={inputClass}
            />
          )}
        </Field>
      )}
    </DraftForm>
  );
}

import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { playbookId } from '#domain/ids.ts';
import { createRoomBody } from '#domain/rooms/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { usePlaybooks } from '#web/playbooks/queries.ts';
import { callPath } from '#web/rooms/paths.ts';
import { useCreateRoom } from '#web/rooms/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

const none = 'none';
/** The choice 'none' is sent as absent (spec section 5). */
const form = z.object({
  topic: createRoomBody.shape.topic,
  playbookId: z.union([z.literal(none), playbookId]),
});

export function CreateRoomForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate();
  const playbooks = usePlaybooks();
  const { mutate, isPending } = useCreateRoom();
  const { register, handleSubmit, formState } = useForm({
    resolver: formResolver(form),
    defaultValues: { topic: '', playbookId: none },
  });
  const submit = handleSubmit(({ topic, playbookId: chosen }) =>
    mutate(chosen === none ? { topic } : { topic, playbookId: chosen }, {
      onSuccess: ({ id }) => navigate(callPath(id)),
    }),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
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
      >
        {(input) => (
          <Select {...input} {...register('playbookId')}>
            <option value={none}>{t('rooms.dialog.noPlaybook')}</option>
            {playbooks.data?.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('rooms.dialog.pending') : t('rooms.dialog.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

import '#web/platform/links-texts.ts';
import { type PersonalRoom, renamePersonalRoom } from '#domain/links/contract.ts';
import { useRenamePersonalRoom } from '#web/links/queries.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(renamePersonalRoom.body);

interface RenamePersonalRoomDialogProps {
  room: PersonalRoom;
  onClose: () => void;
}

export default function RenamePersonalRoomDialog({ room, onClose }: RenamePersonalRoomDialogProps) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('links.personal.renameTitle')}
      description={t('links.personal.renameText')}
    >
      <RenameForm room={room} onSent={onClose} />
    </FormDialog>
  );
}

function RenameForm({ room, onSent }: { room: PersonalRoom; onSent: () => void }) {
  const { mutateAsync, isPending } = useRenamePersonalRoom();
  const draftForm = useDraftForm({
    draft: `slug:${room.roomId}`,
    resolver,
    values: { slug: room.slug },
    send: (values) => mutateAsync(values),
    onSent,
  });
  const { form } = draftForm;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('links.personal.submit'), pending: t('links.personal.pending') }}
    >
      <Field
        label={t('links.personal.slug')}
        hint={t('links.personal.slugHint')}
        error={form.formState.errors.slug?.message}
      >
        {(input) => (
          <input
            {...input}
            {...form.register('slug')}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
    </DraftForm>
  );
}

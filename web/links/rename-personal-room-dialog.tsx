import { type PersonalRoom, renamePersonalRoom } from '#domain/links/contract.ts';
import { useRenamePersonalRoom } from '#web/links/queries.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
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
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft: `slug:${room.roomId}`,
    resolver,
    values: { slug: room.slug },
    send: (values) => mutateAsync(values),
    onSent,
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
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
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('links.personal.pending') : t('links.personal.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

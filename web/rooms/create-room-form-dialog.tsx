import { useNavigate } from 'react-router';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { useCreateRoom } from '#web/rooms/queries.ts';
import { RoomForm } from '#web/rooms/room-form.tsx';

interface CreateRoomFormDialogProps {
  open: boolean;
  onClose: () => void;
}

export default function CreateRoomFormDialog({ open, onClose }: CreateRoomFormDialogProps) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('rooms.dialog.title')}
      description={t('rooms.dialog.text')}
    >
      <CreateRoomForm />
    </FormDialog>
  );
}

function CreateRoomForm() {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useCreateRoom();
  return (
    <RoomForm
      draft="room:new"
      texts={{ submit: t('rooms.dialog.submit'), pending: t('rooms.dialog.pending') }}
      isPending={isPending}
      send={({ topic, playbookId, lobby }) =>
        mutateAsync({ topic, ...(playbookId && { playbookId }), ...(lobby && { lobby }) })
      }
      // Replaces the dialog's history entry: Back from the call leads to the page below the dialog.
      onSent={({ id }) => navigate(callPath(id), { replace: true })}
    />
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { keyOf } from '#web/platform/query-client.ts';
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
      <CreateRoomForm onCreated={onClose} />
    </FormDialog>
  );
}

function CreateRoomForm({ onCreated }: { onCreated: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  /** The page below the dialog shows the new room. */
  const stay = () => {
    void queryClient.refetchQueries({ queryKey: keyOf('/api/rooms'), type: 'active' });
    onCreated();
  };
  const { mutateAsync, isPending } = useCreateRoom();
  return (
    <RoomForm
      draft="room:new"
      texts={{ submit: t('rooms.dialog.submit'), pending: t('rooms.dialog.pending') }}
      isPending={isPending}
      send={({ topic, playbookId, lobby }) =>
        mutateAsync({ topic, ...(playbookId && { playbookId }), ...(lobby && { lobby }) })
      }
      other={{ label: t('rooms.dialog.create'), onSent: stay }}
      // Replaces the dialog's history entry: Back from the call leads to the page below the dialog.
      onSent={({ id }) => navigate(callPath(id), { replace: true })}
    />
  );
}

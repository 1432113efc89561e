import type { Room } from '#domain/rooms/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import { useUpdateRoom } from '#web/rooms/queries.ts';
import { RoomForm } from '#web/rooms/room-form.tsx';

export function EditRoomDialog({ room, onClose }: { room: Room | null; onClose: () => void }) {
  return (
    <FormDialog
      open={room !== null}
      onClose={onClose}
      title={t('rooms.edit.title')}
      description={t('rooms.edit.text')}
    >
      {room && <EditRoomForm room={room} onSaved={onClose} />}
    </FormDialog>
  );
}

function EditRoomForm({ room, onSaved }: { room: Room; onSaved: () => void }) {
  const { mutateAsync, isPending } = useUpdateRoom();
  return (
    <RoomForm
      draft={`room:${room.id}`}
      room={room}
      texts={{ submit: t('rooms.edit.submit'), pending: t('rooms.edit.pending') }}
      isPending={isPending}
      // Sends only the changes, so that simultaneous edits of different fields are both kept.
      send={({ topic, playbookId, lobby, customerEmail }) =>
        mutateAsync({
          id: room.id,
          ...(topic === room.topic ? {} : { topic }),
          ...(playbookId === room.playbookId ? {} : { playbookId }),
          ...(lobby === (room.lobbySince !== null) ? {} : { lobby }),
          ...(customerEmail === (room.customerEmail ?? null) ? {} : { customerEmail }),
        })
      }
      onSent={onSaved}
    />
  );
}

import { roomId } from '#domain/ids.ts';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { useListFilter } from '#web/platform/use-list-filter.ts';
import { EditRoomDialog } from '#web/rooms/edit-room-dialog.tsx';
import { useRoomOf, useRoomPages } from '#web/rooms/queries.ts';
import { RoomGrid } from '#web/rooms/room-grid.tsx';
import { ListFilter } from '#web/ui/list-filter.tsx';

const statuses = [
  { value: 'active', title: t('rooms.filters.active') },
  { value: 'archived', title: t('rooms.filters.archived') },
] as const;

/** The rooms, with what they are looked for by, and the dialog that edits one: `?edit=<id>`. */
export function RoomList({ onCreate }: { onCreate?: () => void }) {
  const { typed, setTyped, status, setStatus, query } = useListFilter();
  const rooms = useRoomPages(query);
  const dialog = useAddressDialog('edit');
  const edited = roomId.safeParse(dialog.value).data ?? null;
  const listed = rooms.rows?.flat().find(({ id }) => id === edited);
  const unlisted = useRoomOf(rooms.rows && !listed ? edited : null);
  return (
    <>
      {rooms.rows && (
        <ListFilter
          searchLabel={t('rooms.search')}
          search={typed}
          onSearch={setTyped}
          statusLabel={t('rooms.show')}
          statuses={statuses}
          status={status}
          onStatus={setStatus}
        />
      )}
      <RoomGrid
        rooms={rooms}
        query={query}
        onEdit={({ id }) => dialog.open(id)}
        {...(onCreate ? { onCreate } : {})}
      />
      <EditRoomDialog room={(edited && (listed ?? unlisted)) || null} onClose={dialog.close} />
    </>
  );
}

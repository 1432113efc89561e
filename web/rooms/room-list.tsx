import { Video } from 'lucide-react';
import { roomId } from '#domain/ids.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { PagedGrid } from '#web/platform/paged-grid.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { useListFilter } from '#web/platform/use-list-filter.ts';
import { EditRoomDialog } from '#web/rooms/edit-room-dialog.tsx';
import { useRoomOf, useRoomPages } from '#web/rooms/queries.ts';
import { RoomAccess } from '#web/rooms/room-access.tsx';
import { RoomCard } from '#web/rooms/room-card.tsx';
import { ListFilter } from '#web/ui/list-filter.tsx';

const statuses = [
  { value: 'active', title: t('rooms.filters.active') },
  { value: 'archived', title: t('rooms.filters.archived') },
] as const;

/** The name of the guest access dialog in the address: `?access=<id>`. */
export const accessParam = 'access';

/** The rooms with their search and filter, and the dialogs of one: `?edit=<id>`, `?access=<id>`. */
export function RoomList({ onCreate }: { onCreate?: () => void }) {
  const { typed, setTyped, status, setStatus, query } = useListFilter();
  const rooms = useRoomPages(query);
  const dialog = useAddressDialog('edit');
  const edited = useNamedRoom(rooms.rows, dialog.value);
  const access = useAddressDialog(accessParam);
  const shared = useNamedRoom(rooms.rows, access.value);
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
      <PagedGrid
        noun="rooms"
        icon={Video}
        pages={rooms}
        query={query}
        card={(room) => (
          <RoomCard
            room={room}
            onEdit={() => dialog.open(room.id)}
            onAccess={() => access.open(room.id)}
          />
        )}
        {...(onCreate ? { onCreate } : {})}
      />
      <EditRoomDialog room={edited} onClose={dialog.close} />
      <RoomAccess room={shared} onClose={access.close} />
    </>
  );
}

/** Returns the room that the address names: from the loaded list, or fetched. */
function useNamedRoom(rows: Room[][] | undefined, named: string | null): Room | null {
  const wanted = roomId.safeParse(named).data ?? null;
  const listed = rows?.flat().find(({ id }) => id === wanted);
  const unlisted = useRoomOf(rows && !listed ? wanted : null);
  return (wanted && (listed ?? unlisted)) || null;
}

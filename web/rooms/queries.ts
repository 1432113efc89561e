import { useQuery } from '@tanstack/react-query';
import type { SentBodyOf, SentQueryOf } from '#domain/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import {
  archiveRoom,
  createRoom,
  listRooms,
  openRoom,
  type Room,
  readGuestLink,
  readRoom,
  renewGuestLink,
  restoreRoom,
  updateRoom,
} from '#domain/rooms/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

/** The newest active rooms. */
export const useRooms = () => useQuery(reading(listRooms, {}));

export const useRoomPages = (query: SentQueryOf<typeof listRooms>) =>
  usePagesOf(listRooms, { query });

/** Fetches a room that no loaded list contains. Null fetches none. */
export const useRoomOf = (id: RoomId | null) =>
  useQuery({
    ...reading(openRoom, { params: { id: id ?? ('' as RoomId) } }), // not fetched without an id
    enabled: id !== null,
    gcTime: 0,
  }).data;

/** One room, archived or not, without joining its call. */
export const useRoom = (id: RoomId) =>
  useQuery({ ...reading(readRoom, { params: { id } }), staleTime: 0 });

export const useCreateRoom = () =>
  useApiMutation((body: SentBodyOf<typeof createRoom>) => request(createRoom, { body }), {
    done: { title: t('rooms.createdToast') },
    failed: t('rooms.createFailed'),
    // The page of the new room is next: the list is read again when it is shown.
    refresh: (queryClient) =>
      queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms'), refetchType: 'none' }),
  });

export const useUpdateRoom = () =>
  useApiMutation(
    ({ id, ...body }: SentBodyOf<typeof updateRoom> & { id: RoomId }) =>
      request(updateRoom, { params: { id }, body }),
    {
      done: { title: t('rooms.edit.done') },
      failed: t('rooms.edit.failed'),
      refresh: '/api/rooms',
      refreshMode: 'background',
    },
  );

export const useArchiveRoom = () =>
  useApiMutation(({ id }: Pick<Room, 'id'>) => request(archiveRoom, { params: { id } }), {
    done: { title: t('rooms.archive.done'), description: t('rooms.archive.doneText') },
    failed: t('rooms.archive.failed'),
    refresh: '/api/rooms',
  });

export const useRestoreRoom = () =>
  useApiMutation(({ id }: Pick<Room, 'id'>) => request(restoreRoom, { params: { id } }), {
    done: { title: t('rooms.restore.done') },
    failed: t('rooms.restore.failed'),
    refresh: '/api/rooms',
  });

export const fetchGuestLink = (id: RoomId) =>
  request(readGuestLink, { params: { id } }).then(({ url }) => url);

export const makeNewGuestLink = (id: RoomId) =>
  request(renewGuestLink, { params: { id } }).then(({ url }) => url);

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf, SentQueryOf } from '#domain/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import {
  archiveRoom,
  createRoom,
  listRooms,
  openRoom,
  type Room,
  readGuestLink,
  renewGuestLink,
  restoreRoom,
  updateRoom,
} from '#domain/rooms/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

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

export function useCreateRoom() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createRoom>) => request(createRoom, { body }),
    onSuccess: () => {
      toast({ title: t('rooms.createdToast') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms'), refetchType: 'none' });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('rooms.createFailed'))),
  });
}

export function useUpdateRoom() {
  const refresh = useRefreshRooms();
  return useMutation({
    mutationFn: ({ id, ...body }: SentBodyOf<typeof updateRoom> & { id: RoomId }) =>
      request(updateRoom, { params: { id }, body }),
    onSuccess: () => {
      toast({ title: t('rooms.edit.done') });
      // Not awaited: the form is done.
      void refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('rooms.edit.failed'))),
  });
}

export function useArchiveRoom() {
  const refresh = useRefreshRooms();
  return useMutation({
    mutationFn: ({ id }: Pick<Room, 'id'>) => request(archiveRoom, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('rooms.archive.done'), description: t('rooms.archive.doneText') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('rooms.archive.failed'))),
  });
}

export function useRestoreRoom() {
  const refresh = useRefreshRooms();
  return useMutation({
    mutationFn: ({ id }: Pick<Room, 'id'>) => request(restoreRoom, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('rooms.restore.done') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('rooms.restore.failed'))),
  });
}

function useRefreshRooms() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms') });
}

export const fetchGuestLink = (id: RoomId) =>
  request(readGuestLink, { params: { id } }).then(({ url }) => url);

export const makeNewGuestLink = (id: RoomId) =>
  request(renewGuestLink, { params: { id } }).then(({ url }) => url);

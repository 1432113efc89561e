import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import { createRoom, listRooms, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { call } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

export const useRooms = () => useQuery(reading(listRooms, {}));

export function useCreateRoom() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createRoom>) => call(createRoom, { body }),
    onSuccess: () => {
      toast({ title: t('rooms.createdToast') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms'), refetchType: 'none' });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('rooms.createFailed'))),
  });
}

export const fetchGuestLink = (id: RoomId) =>
  call(readGuestLink, { params: { id } }).then(({ url }) => url);

export const makeNewGuestLink = (id: RoomId) =>
  call(renewGuestLink, { params: { id } }).then(({ url }) => url);

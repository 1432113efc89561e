import { useQuery } from '@tanstack/react-query';
import type { RoomId } from '#domain/ids.ts';
import { type OpenedRoom, openRoom } from '#domain/rooms/contract.ts';
import { boot } from '#web/platform/boot.ts';
import { reading } from '#web/platform/query-client.ts';

/** The room with a token to join it: requested at each visit, since the token is short-lived. */
export function useOpenedRoom(id: RoomId, isWanted: boolean) {
  const initialData = () => (boot.room?.id === id ? boot.room : undefined);
  return useQuery<OpenedRoom>({
    ...reading(openRoom, { params: { id } }),
    gcTime: 0,
    enabled: isWanted,
    initialData,
  });
}

/** Removes the room that came with the page, so that its token is not used twice. */
export const forgetBootRoom = () => {
  delete boot.room;
};

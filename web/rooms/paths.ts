import type { RoomId } from '#domain/ids.ts';

/** The page of a room, with its calls, notes, and links. */
export const roomPath = (id: RoomId) => `/app/rooms/${id}`;
export const callPath = (id: string) => `/app/rooms/${id}/call`;
export const isCallPath = (path: string) => /^\/app\/rooms\/[^/]+\/call\/?$/.test(path);

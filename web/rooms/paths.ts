import type { RoomId } from '#domain/ids.ts';

export const callPath = (id: RoomId) => `/app/rooms/${id}/call`;
export const isCallPath = (path: string) => /^\/app\/rooms\/[^/]+\/call\/?$/.test(path);

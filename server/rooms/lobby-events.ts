import { z } from 'zod';
import { roomId } from '#domain/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';

/** Something of a room's lobby changed: who waits, what was decided, or (`switched`) whether it has one. */
const lobbyChange = z.object({ roomId, switched: z.boolean() });
export type LobbyChange = z.infer<typeof lobbyChange>;

const channel = 'lobby';

/** To call once the change is committed: who hears it looks the lobby up. */
export function tellLobbyChange(bus: LiveBus, change: LobbyChange): void {
  bus.publish(channel, change);
}

/** Hears the changes that any process made. @returns how to stop listening */
export function listenToLobbies(bus: LiveBus, listen: (change: LobbyChange) => void): () => void {
  return bus.subscribe(channel, (message) => listen(lobbyChange.parse(message))).stop;
}

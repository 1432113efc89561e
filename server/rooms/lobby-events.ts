import { z } from 'zod';
import { roomId } from '#domain/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';

/** A change of a room's lobby: its guests, a decision, or (`switched`) whether the room has one. */
const lobbyChange = z.object({ roomId, switched: z.boolean() });
export type LobbyChange = z.infer<typeof lobbyChange>;

const channel = 'lobby';

/** Publishes a change. Call it after the commit, because subscribers read the lobby. */
export function tellLobbyChange(bus: LiveBus, change: LobbyChange): void {
  bus.publish(channel, change);
}

/**
 * Subscribes to the changes of all processes.
 * @returns a function that stops listening
 */
export function listenToLobbies(bus: LiveBus, listen: (change: LobbyChange) => void): () => void {
  return bus.subscribe(channel, (message) => listen(lobbyChange.parse(message))).stop;
}

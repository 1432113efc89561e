import { z } from 'zod';
import { orgId, participantId, roomId } from '#domain/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';

/**
 * A change of a room's lobby. `guests` are those whose own state may have changed: the others need not be
 * looked up. Without it, that is everyone, as when the lobby is switched on or off.
 */
const lobbyChange = z.object({ orgId, roomId, guests: z.optional(z.array(participantId)) });
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

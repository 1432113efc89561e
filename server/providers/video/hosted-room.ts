import type { OrgId, RoomId } from '#domain/ids.ts';

/** One of our rooms at a hosted provider. */
export interface HostedRoom {
  orgId: OrgId;
  roomId: RoomId;
}

/**
 * Waits until a request may be sent to the provider. The provider calls it before each one, also before a
 * repetition, so that none is sent uncounted.
 * @throws VideoEngineError when the turn does not come soon enough
 */
export type RequestTurn = () => Promise<void>;

import { notFound } from '#domain/errors.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import type { EarlierDecision, LobbyDecision } from '#domain/notices/contract.ts';
import { decideOnGuests, earlierDecisions } from '#server/calls/lobby.ts';
import type { Tenant } from '#server/platform/access.ts';

/**
 * Admits or denies guests who wait in a room's lobby.
 * @returns those who waited until now, and what others had decided about the rest
 * @throws DomainError 404 when none of them has asked to join this room
 */
export async function decideOnLobby(
  tenant: Tenant,
  room: RoomId,
  guests: ParticipantId[],
  decision: LobbyDecision,
): Promise<{ decided: ParticipantId[]; earlier: EarlierDecision[] }> {
  const decided = await decideOnGuests(tenant, room, guests, decision);
  const others = guests.filter((guest) => !decided.includes(guest));
  const earlier = others.length === 0 ? [] : await earlierDecisions(tenant, room, others);
  if (decided.length === 0 && earlier.length === 0) throw notFound();
  return { decided, earlier };
}

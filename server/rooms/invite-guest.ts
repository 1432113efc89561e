import { notFound } from '#domain/errors.ts';
import { participantId, roomId } from '#domain/ids.ts';
import type { GuestInvitation } from '#domain/rooms/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import type { Services } from '#server/services.ts';
import { admitVisitor } from './admit-visitor.ts';
import { readGuestToken } from './guest-link.ts';
import { followGuestLink } from './guest-link-store.ts';

/**
 * What a customer's link leads to, with a meeting token for one guest.
 * @throws DomainError 404 for a link that we did not make, 410 for one that was renewed, 503
 */
export async function inviteGuest(
  services: Services,
  token: string,
  publicUrl: string,
): Promise<GuestInvitation> {
  const link = readGuestToken(services.secrets, token);
  if (!link) throw notFound();
  const participant = newId(participantId);
  const asker = tenantOf(
    services.database,
    { kind: 'system', name: 'guest-link', orgId: link.orgId },
    null,
  );
  const found = await followGuestLink(asker, link.guestLinkId);
  const room = roomId.parse(found.roomId);
  const entrance = await admitVisitor(
    services,
    {
      kind: 'guest',
      participantId: participant,
      orgId: link.orgId,
      roomId: room,
      guestLinkId: link.guestLinkId,
      admitted: false,
    },
    { name: null, publicUrl },
  );
  return {
    organization: found.organization,
    room: { id: room, topic: found.topic },
    ...entrance,
  };
}

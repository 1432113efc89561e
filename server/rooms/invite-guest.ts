import { DomainError, notFound } from '#domain/errors.ts';
import { type BrowserId, participantId, roomId } from '#domain/ids.ts';
import type { RoomOpening } from '#domain/links/contract.ts';
import type { GuestInvitation } from '#domain/rooms/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import type { Services } from '#server/services.ts';
import { admitVisitor } from './admit-visitor.ts';
import { followGuestLink } from './follow-guest-link.ts';
import { readGuestToken } from './guest-link.ts';
import { mintMeetingToken } from './meeting-token.ts';

export const roomClosedNow = 'room_closed_now';

/**
 * Returns the room of a customer's link, with a meeting token for one guest.
 * @throws DomainError 404 for a forged link, 409 outside the room's opening hours, 410 for one that
 * has ended, 503
 */
export async function inviteGuest(
  services: Services,
  token: string,
  publicUrl: string,
  browserId?: BrowserId,
): Promise<GuestInvitation> {
  const { link, asker, found } = await follow(services, token);
  if (!found.opening.isOpen) {
    throw new DomainError(
      'conflict',
      roomClosedNow,
      'This room is closed right now. Its page shows when it opens next.',
    );
  }
  const room = roomId.parse(found.roomId);
  const claims = {
    kind: 'guest' as const,
    participantId: newId(participantId),
    orgId: link.orgId,
    roomId: room,
    guestLinkId: link.guestLinkId,
    ...(browserId && { browserId }),
  };
  // For a hosted page a guest gets a token once the name is known (calls/hosted-admission.ts).
  const entrance = services.video.page
    ? {
        dailyUrl: `${publicUrl}/join/${token}`,
        meetingToken: await mintMeetingToken(services.secrets, claims),
      }
    : await admitVisitor(services, asker, claims, {
        name: null,
        publicUrl,
        isHost: false,
        mustKnock: false,
      });
  return {
    organization: found.organization,
    room: { id: room, topic: found.topic },
    ...entrance,
  };
}

/**
 * Returns whether a link's room is open now, and when it opens next.
 * @throws as `inviteGuest`, except 409
 */
export async function openingOfLink(
  services: Services,
  token: string,
  now = new Date(),
): Promise<RoomOpening> {
  const { found } = await follow(services, token, now);
  const { organization, topic, opening } = found;
  const times = opening.isOpen
    ? { opensAt: null, closesAt: opening.until }
    : { opensAt: opening.opensAt, closesAt: opening.closesAt };
  return {
    organization,
    room: { topic },
    isOpen: opening.isOpen,
    opensAt: times.opensAt?.toISOString() ?? null,
    closesAt: times.closesAt?.toISOString() ?? null,
    now: now.toISOString(),
  };
}

async function follow(services: Services, token: string, now = new Date()) {
  const link = readGuestToken(services.secrets, token);
  if (!link) throw notFound();
  const actor = { kind: 'system' as const, name: 'guest-link', orgId: link.orgId };
  const asker = tenantOf(services.database, actor, null);
  return { link, asker, found: await followGuestLink(asker, link.guestLinkId, now) };
}

import { DomainError, notFound } from '#domain/errors.ts';
import type { GuestLinkId } from '#domain/ids.ts';
import { brandColumns, brandOf } from '#server/organizations/brand.ts';
import { organizations } from '#server/organizations/tables.ts';
import type { Tenant } from '#server/platform/access.ts';
import { and, type Drizzle, eq, sql } from '#server/platform/drizzle.ts';
import { openingAt } from './opening.ts';
import { guestLinks, roomOpeningHours, rooms } from './tables.ts';

// Prepared, because every guest begins with it (bench/against.ts).
const linkAndRoom = (db: Drizzle) =>
  db
    .select({
      roomId: rooms.id,
      topic: rooms.topic,
      archivedAt: rooms.archivedAt,
      name: guestLinks.name,
      revokedAt: guestLinks.revokedAt,
      expiresAt: guestLinks.expiresAt,
      useLimit: guestLinks.useLimit,
      useCount: guestLinks.useCount,
      hours: roomOpeningHours.hours,
      organization: brandColumns,
    })
    .from(guestLinks)
    .innerJoin(rooms, eq(rooms.id, guestLinks.roomId))
    .innerJoin(organizations, eq(organizations.id, guestLinks.orgId))
    .leftJoin(roomOpeningHours, eq(roomOpeningHours.roomId, guestLinks.roomId))
    .where(
      and(eq(guestLinks.orgId, sql.placeholder('orgId')), eq(guestLinks.id, sql.placeholder('id'))),
    )
    .prepare('guest_link_and_room');

/**
 * Returns the room of a guest link, and whether the room is open now.
 * @throws DomainError 404 for a link that never existed, 410 for one that was renewed or revoked,
 * has expired, was used up, or whose room is archived
 */
export async function followGuestLink(tenant: Tenant, id: GuestLinkId, now = new Date()) {
  const [found] = await tenant.connection(({ prepared }) =>
    prepared(linkAndRoom).execute({ orgId: tenant.orgId, id }),
  );
  if (!found) throw notFound();
  refuseEnded(found, now);
  return {
    roomId: found.roomId,
    topic: found.topic,
    organization: brandOf(found.organization),
    opening: openingAt(found.hours, now),
  };
}

interface LinkEnds {
  name: string | null;
  revokedAt: Date | null;
  expiresAt: Date | null;
  useLimit: number | null;
  useCount: number;
  archivedAt: Date | null;
}

function refuseEnded(link: LinkEnds, now: Date): void {
  if (link.revokedAt && link.name === null) {
    throw new DomainError(
      'gone',
      'guest_link_renewed',
      'This link has been replaced. Ask your host for the new one.',
    );
  }
  if (link.revokedAt) {
    throw new DomainError(
      'gone',
      'guest_link_revoked',
      'This link was revoked. Ask your host for a new one.',
    );
  }
  if (link.expiresAt && link.expiresAt <= now) {
    throw new DomainError(
      'gone',
      'guest_link_expired',
      'This link has expired. Ask your host for a new one.',
    );
  }
  if (link.useLimit !== null && link.useCount >= link.useLimit) {
    throw new DomainError(
      'gone',
      'guest_link_used',
      'This link was for one guest and has already been used. Ask your host for a new one.',
    );
  }
  if (link.archivedAt) {
    throw new DomainError(
      'gone',
      'room_archived',
      'This room is closed. Ask your host for a new link.',
    );
  }
}

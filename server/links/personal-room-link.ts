import { guestToken } from '#server/rooms/guest-link.ts';
import { currentGuestLink } from '#server/rooms/guest-link-store.ts';
import type { Services } from '#server/services.ts';
import { followSlug } from './room-slugs.ts';

/** Returns the target of a personal room's readable URL: its current main guest link. */
export async function personalRoomLink(
  { database, secrets }: Services,
  slug: string,
): Promise<string> {
  const { tenant, roomId } = await followSlug(database, slug);
  const link = await currentGuestLink(tenant, roomId);
  return `/join/${guestToken(secrets, tenant.orgId, link.id)}`;
}

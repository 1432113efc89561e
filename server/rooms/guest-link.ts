import { type GuestLinkId, guestLinkId, type OrgId, orgId } from '#domain/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { readSignedIds, signIds } from '#server/platform/signed-ids.ts';

const purpose = 'guest-link';

/** Returns the token of a guest link: the ids of organization and link, signed. */
export const guestToken = (secrets: Secrets, org: OrgId, link: GuestLinkId): string =>
  signIds(secrets, purpose, org, link);

/** Returns the ids in a token, or null for a forged one. */
export function readGuestToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; guestLinkId: GuestLinkId } | null {
  const ids = readSignedIds(secrets, purpose, token);
  return ids && { orgId: orgId.parse(ids.org), guestLinkId: guestLinkId.parse(ids.id) };
}

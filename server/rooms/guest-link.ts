import { parse, stringify } from 'uuid';
import { type GuestLinkId, guestLinkId, type OrgId, orgId } from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';

const idBytes = 16;
const signatureBytes = 16;

/**
 * Returns the token of a guest link: the ids of organization and link, signed. It names its tenant,
 * so that no lookup runs outside of one, and forged links are rejected.
 */
export function guestToken(secrets: Secrets, org: OrgId, link: GuestLinkId): string {
  const ids = Buffer.concat([parse(org), parse(link)]);
  const signature = sign(secrets.key('guest-link'), ids, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** Returns the ids in a token, or null for a forged one. */
export function readGuestToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; guestLinkId: GuestLinkId } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * idBytes + signatureBytes) return null;
  // Node ignores what is not base64url, and all that follows a "=".
  if (bytes.toString('base64url') !== token) return null;
  const ids = bytes.subarray(0, 2 * idBytes);
  const given = bytes.subarray(2 * idBytes);
  // Links may be stored anywhere, so a former key's signature stays valid as long as that key is
  // configured.
  const isOurs = secrets
    .keys('guest-link')
    .some(({ key }) => sameBytes(given, sign(key, ids, signatureBytes)));
  if (!isOurs) return null;
  return {
    orgId: orgId.parse(stringify(ids.subarray(0, idBytes))),
    guestLinkId: guestLinkId.parse(stringify(ids.subarray(idBytes))),
  };
}

import { parse, stringify } from 'uuid';
import { type GuestLinkId, guestLinkId, type OrgId, orgId } from '#domain/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';

const idBytes = 16;
const signatureBytes = 16;

/**
 * The token in a guest link: the organization and the link, signed. It names its tenant, so that
 * nothing has to be looked up outside one, and nobody can try links of their own making.
 */
export function guestToken(secrets: Secrets, org: OrgId, link: GuestLinkId): string {
  const ids = Buffer.concat([parse(org), parse(link)]);
  const signature = sign(secrets.key('guest-link'), ids, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** What a token names, or null for one that we did not make. */
export function readGuestToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; guestLinkId: GuestLinkId } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * idBytes + signatureBytes) return null;
  const ids = bytes.subarray(0, 2 * idBytes);
  const given = bytes.subarray(2 * idBytes);
  // Links are out in the world: what a former key signed stays good as long as that key is known.
  const isOurs = secrets
    .keys('guest-link')
    .some(({ key }) => sameBytes(given, sign(key, ids, signatureBytes)));
  if (!isOurs) return null;
  return {
    orgId: orgId.parse(stringify(ids.subarray(0, idBytes))),
    guestLinkId: guestLinkId.parse(stringify(ids.subarray(idBytes))),
  };
}

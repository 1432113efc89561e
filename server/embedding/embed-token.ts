import { createHmac } from 'node:crypto';
import { stringify } from 'uuid';
import {
  type BrowserId,
  browserId,
  type EmbedTokenId,
  embedTokenId,
  type OrgId,
  orgId,
} from '#domain/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { readSignedIds, signIds } from '#server/platform/signed-ids.ts';

const purpose = 'embed-token';

export const embedToken = (secrets: Secrets, org: OrgId, id: EmbedTokenId): string =>
  signIds(secrets, purpose, org, id);

/** Returns the ids in a token, or null for a forged one. */
export function readEmbedToken(
  secrets: Secrets,
  token: string,
): { orgId: OrgId; id: EmbedTokenId } | null {
  const ids = readSignedIds(secrets, purpose, token);
  return ids && { orgId: orgId.parse(ids.org), id: embedTokenId.parse(ids.id) };
}

/**
 * Returns what takes the place of the cookie for a person whom the embedding product names: browsers block cookies
 * in frames of other sites. It does not reveal the product's own id, which is stored nowhere.
 */
export function browserOfPerson(secrets: Secrets, org: OrgId, externalId: string): BrowserId {
  const bytes = createHmac('sha256', secrets.key('embed-person'))
    .update(`${org}\0${externalId}`)
    .digest()
    .subarray(0, 16);
  // Version 8 of RFC 9562: of our own making.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return browserId.parse(stringify(bytes));
}

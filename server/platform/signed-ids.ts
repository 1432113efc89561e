import { parse, stringify } from 'uuid';
import { type Secrets, sameBytes, sign } from './secrets.ts';

const idBytes = 16;
const signatureBytes = 16;

/**
 * Returns a token of two ids, signed for one purpose: that of an organization, and of something in it. It names its
 * tenant, so that no lookup runs outside of one, and forged tokens are rejected.
 */
export function signIds(secrets: Secrets, purpose: string, org: string, id: string): string {
  const ids = Buffer.concat([parse(org), parse(id)]);
  const signature = sign(secrets.key(purpose), ids, signatureBytes);
  return Buffer.concat([ids, signature]).toString('base64url');
}

/** Returns the ids in a token of this purpose, or null for a forged one. */
export function readSignedIds(
  secrets: Secrets,
  purpose: string,
  token: string,
): { org: string; id: string } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * idBytes + signatureBytes) return null;
  // Node ignores what is not base64url, and all that follows a "=".
  if (bytes.toString('base64url') !== token) return null;
  const ids = bytes.subarray(0, 2 * idBytes);
  const given = bytes.subarray(2 * idBytes);
  // Tokens may be stored anywhere, so a former key's signature stays valid as long as that key is configured.
  const isOurs = secrets
    .keys(purpose)
    .some(({ key }) => sameBytes(given, sign(key, ids, signatureBytes)));
  if (!isOurs) return null;
  return { org: stringify(ids.subarray(0, idBytes)), id: stringify(ids.subarray(idBytes)) };
}

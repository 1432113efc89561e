import { createHash, randomBytes } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type OrgId, orgId } from '#domain/ids.ts';

const secretBytes = 24;

/**
 * Returns a new token for an invitation link: the organization and a secret, of which only the hash is
 * stored.
 */
export function newInvitationToken(org: OrgId): { token: string; hash: Buffer } {
  const token = Buffer.concat([parse(org), randomBytes(secretBytes)]).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Returns the organization in a token and the hash to look up there; null if the token is malformed. */
export function readInvitationToken(token: string): { orgId: OrgId; hash: Buffer } | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 16 + secretBytes) return null;
  const named = orgId.safeParse(stringifyOrEmpty(bytes.subarray(0, 16)));
  return named.success ? { orgId: named.data, hash: hashOf(token) } : null;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

function stringifyOrEmpty(bytes: Uint8Array): string {
  try {
    return stringify(bytes);
  } catch {
    return '';
  }
}

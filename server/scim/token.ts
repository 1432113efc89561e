import { createHash, randomBytes } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type OrgId, orgId } from '#domain/ids.ts';

/** A prefix that identifies leaked tokens in repositories and logs. */
const prefix = 'rapport_scim_';
const secretBytes = 32;

/** Returns a new bearer token: the organization and a secret. Only the hash is stored. */
export function newScimToken(org: OrgId): { token: string; hash: Buffer } {
  const secret = Buffer.concat([parse(org), randomBytes(secretBytes)]).toString('base64url');
  const token = `${prefix}${secret}`;
  return { token, hash: hashOf(token) };
}

/** Returns the organization in a token and the hash to look up there; null if the token is malformed. */
export function readScimToken(token: string): { orgId: OrgId; hash: Buffer } | null {
  if (!token.startsWith(prefix)) return null;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
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

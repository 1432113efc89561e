import { createHash, randomBytes } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type OrgId, orgId } from '#domain/ids.ts';

/** So that a token that got into a repository or a log is recognized for what it is. */
const prefix = 'rapport_scim_';
const secretBytes = 32;

/** A bearer token: the organization, and a secret. Only the hash is kept. */
export function newScimToken(org: OrgId): { token: string; hash: Buffer } {
  const secret = Buffer.concat([parse(org), randomBytes(secretBytes)]).toString('base64url');
  const token = `${prefix}${secret}`;
  return { token, hash: hashOf(token) };
}

/** The organization that a token names and the hash to look for in it; null for no token of ours. */
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

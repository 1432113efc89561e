import { createHash, randomBytes } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { type OrgId, orgId } from '#domain/ids.ts';

/** Returns what is stored in place of a token. Tokens are too long to guess, so a plain hash suffices. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A kind of token that names its organization, so that no lookup runs outside of one. */
export interface TokenKind {
  /** Identifies leaked tokens in repositories and logs; may be empty. */
  prefix: string;
  secretBytes: number;
}

const idBytes = 16;

/** Returns a new token: the organization and a secret. Only the hash is stored. */
export function newOrganizationToken(
  org: OrgId,
  { prefix, secretBytes }: TokenKind,
): { token: string; hash: Buffer } {
  const bytes = Buffer.concat([parse(org), randomBytes(secretBytes)]);
  const token = `${prefix}${bytes.toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

/** Returns the organization in a token and the hash to look up there; null if the token is malformed. */
export function readOrganizationToken(
  token: string,
  { prefix, secretBytes }: TokenKind,
): { orgId: OrgId; hash: Buffer } | null {
  if (!token.startsWith(prefix)) return null;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== idBytes + secretBytes) return null;
  const named = orgId.safeParse(stringifyOrEmpty(bytes.subarray(0, idBytes)));
  return named.success ? { orgId: named.data, hash: hashToken(token) } : null;
}

function stringifyOrEmpty(bytes: Uint8Array): string {
  try {
    return stringify(bytes);
  } catch {
    return '';
  }
}

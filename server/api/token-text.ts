import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToken } from '#server/platform/tokens.ts';

/** By which scanners recognize tokens in repositories and logs. */
const prefix = 'rpt_';
const secretBytes = 32;
const checkBytes = 4;
const form = /^rpt_[\w-]{48}$/;

/** Returns a new token: the prefix, a secret, and its checksum. Only the hash is stored. */
export function newApiToken(): { token: string; hash: Buffer } {
  const secret = randomBytes(secretBytes);
  const token = `${prefix}${Buffer.concat([secret, checksum(secret)]).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

/** Returns the hash to look up; null for a token that was mistyped or cut, without asking the database. */
export function hashOfApiToken(token: string): Buffer | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const secret = bytes.subarray(0, secretBytes);
  return bytes.subarray(secretBytes).equals(checksum(secret)) ? hashToken(token) : null;
}

function checksum(secret: Uint8Array): Buffer {
  const bytes = Buffer.alloc(checkBytes);
  bytes.writeUInt32BE(crc32(secret));
  return bytes;
}

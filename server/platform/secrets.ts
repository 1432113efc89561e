import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keys for one purpose each, derived from the installation's secret (HKDF, RFC 5869). */
export interface Secrets {
  key(purpose: string): Buffer;
  /** Keys that were good at any time, the one of today first. `id` tells which, and nothing of it. */
  keys(purpose: string): { id: string; key: Buffer }[];
}

/** @param former secrets from before a rotation: what they signed or sealed can still be read */
export function secretsFrom(secret: string, former: readonly string[] = []): Secrets {
  const derive = (from: string, purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', from, 'rapport', purpose, bytes));
  return {
    key: (purpose) => derive(secret, purpose),
    keys: (purpose) =>
      [secret, ...former].map((from) => ({
        id: derive(from, 'key-id', 4).toString('hex'),
        key: derive(from, purpose),
      })),
  };
}

const shortestSecret = 32;

/**
 * The secret that is kept in the data folder, made there on the first start.
 * @throws an Error when the file is damaged: with an empty secret anybody could sign
 */
export function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) {
    // Written whole and renamed, so that a crash never leaves half a key.
    const secret = randomBytes(48).toString('base64url');
    writeFileSync(`${file}.new`, secret, { mode: 0o600, flush: true });
    chmodSync(`${file}.new`, 0o600);
    renameSync(`${file}.new`, file);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < shortestSecret) {
    throw new Error(
      `The secret in ${file} is damaged. Restore it from a backup; or delete it, and the next start makes a new one, with which guest links have to be sent again.`,
    );
  }
  return secret;
}

export function sign(key: Buffer, text: string | Buffer, bytes = 32): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, bytes);
}

/** Compares in a time that does not tell where the difference is. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

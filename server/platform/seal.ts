import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

/**
 * Encryption of stored credentials of other services and of second factors: AES-256-GCM with one
 * key per purpose.
 */
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const form = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

export class SealError extends Error {
  constructor(reason: string) {
    super(`A sealed secret cannot be read: ${reason}`);
    this.name = 'SealError';
  }
}

const keysOf = (secrets: Secrets, purpose: string) => secrets.keys(`seal:${purpose}`);

/**
 * Encrypts a secret that must be readable later.
 * @param purpose selects a separate key, e.g. `totp`
 * @param bound the owner, e.g. the row's id; the secret does not open in another row
 * @returns `v1.<key id>.<base64url of nonce, text and tag>`
 */
export function seal(secrets: Secrets, purpose: string, bound: string, text: string): string {
  const [current] = keysOf(secrets, purpose);
  if (!current) throw new SealError('there is no key');
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, current.key, iv);
  cipher.setAAD(Buffer.from(bound));
  const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `v1.${current.id}.${Buffer.concat(parts).toString('base64url')}`;
}

/** @throws SealError when its key is unknown, or the value was changed or moved to another row */
export function unseal(secrets: Secrets, purpose: string, bound: string, sealed: string): string {
  const [, id, content] = form.exec(sealed) ?? [];
  if (!content) throw new SealError('it has no form of ours');
  const found = keysOf(secrets, purpose).find((one) => one.id === id);
  if (!found) throw new SealError(`it needs the key ${id}; add the former SECRET_KEY`);
  const bytes = Buffer.from(content, 'base64url');
  const decipher = createDecipheriv(algorithm, found.key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(bound));
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(ivBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    throw new SealError('it was changed, or belongs elsewhere');
  }
}

/**
 * Whether a value is sealed with the current key. If not, seal it again before its former key is
 * removed.
 */
export const isSealedByCurrent = (secrets: Secrets, purpose: string, sealed: string) =>
  form.exec(sealed)?.[1] === keysOf(secrets, purpose)[0]?.id;

import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One key per purpose, derived from the installation's secret (HKDF, RFC 5869). */
export interface Secrets {
  key(purpose: string): Buffer;
  /**
   * The current key and all former ones, the current one first. `id` identifies a key and reveals
   * nothing of it.
   */
  keys(purpose: string): { id: string; key: Buffer }[];
}

/** @param former secrets from before a rotation: values that they signed or sealed stay readable */
export function secretsFrom(secret: string, former: readonly string[] = []): Secrets {
  const derive = (from: string, purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', from, 'rapport', purpose, bytes));
  // An answer may have thousands of signatures, each of which takes less time than deriving its key.
  const derived = new Map<string, ReturnType<Secrets['keys']>>();
  const keys = (purpose: string) => {
    const known = derived.get(purpose);
    if (known) return known;
    const all = [secret, ...former].map((from) => ({
      id: derive(from, 'key-id', 4).toString('hex'),
      key: derive(from, purpose),
    }));
    derived.set(purpose, all);
    return all;
  };
  return { key: (purpose) => keys(purpose)[0]?.key ?? derive(secret, purpose), keys };
}

const shortestSecret = 32;

/**
 * Returns the secret stored in the data folder. The first start creates it.
 * @throws an Error when the file is damaged: with an empty secret anyone could sign
 */
export function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) writePrivately(file, newSecret());
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < shortestSecret) {
    throw new Error(
      `The secret in ${file} is damaged. Restore it from a backup; or delete it, and the next start makes a new one, with which guest links have to be sent again.`,
    );
  }
  return secret;
}

/** The file of replaced secrets, newest first, one per line. */
const previousFile = (dataDir: string) => join(dataDir, 'secret-key.previous');

function keptPrevious(dataDir: string): string[] {
  const file = previousFile(dataDir);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.length >= shortestSecret);
}

/** Returns the installation's secrets: from the settings, or else from the data folder. */
export function openSecrets(
  config: { SECRET_KEY?: string | undefined; SECRET_KEY_PREVIOUS?: string | undefined },
  dataDir: string,
): Secrets {
  const previous = config.SECRET_KEY_PREVIOUS?.split(',').map((entry) => entry.trim()) ?? [];
  const kept = config.SECRET_KEY ? [] : keptPrevious(dataDir);
  return secretsFrom(config.SECRET_KEY ?? keptSecret(dataDir), [...previous, ...kept]);
}

/** Creates a new secret in the data folder. The previous one stays readable beside it. */
export function replaceKeptSecret(dataDir: string): void {
  const before = [keptSecret(dataDir), ...keptPrevious(dataDir)];
  writePrivately(previousFile(dataDir), before.join('\n'));
  writePrivately(join(dataDir, 'secret-key'), newSecret());
}

const newSecret = () => randomBytes(48).toString('base64url');

/** Writes a complete file and renames it, so that a crash never leaves half a key. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** Making one of a key takes five times as long as signing with it. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

export function sign(key: Buffer, text: string | Buffer, bytes = 32): Buffer {
  const made = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, made);
  return createHmac('sha256', made).update(text).digest().subarray(0, bytes);
}

/** Compares in constant time. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

import { hash, verify } from '@node-rs/argon2';

// OWASP's second choice for Argon2id: 19 MiB, two passes. Runs on libuv's threads.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

const nobody = hashPassword('nobody has this password');

/**
 * Checks a password. Takes the same time where there is no account or no password to check, so that
 * the time does not tell who has one.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return stored !== null && matches;
}

import { hash, verify } from '@node-rs/argon2';

// OWASP's second choice for Argon2id: 19 MiB, two passes. Runs on the libuv thread pool.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

const nobody = hashPassword('nobody has this password');

/**
 * Returns whether the password matches. It takes the same time if there is no account or no password, so that
 * timing does not reveal which addresses have accounts.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return stored !== null && matches;
}

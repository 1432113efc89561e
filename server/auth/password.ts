import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { networkKey } from '#server/platform/address-key.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';

// OWASP's second choice for Argon2id: 19 MiB, two passes. Runs on the libuv thread pool.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One takes a core for 20 to 50 ms. The event loop keeps a core, and files keep threads of libuv's pool. */
const turns = new FairQueue({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  perKey: 1,
  mostWaiting: 100,
  mostInAll: 1_000,
});

/**
 * Networks take turns.
 * @param ip of who asks
 * @throws DomainError 429 when too many passwords of this network wait
 */
export const hashPassword = (password: string, ip: string): Promise<string> =>
  turns.run(networkKey(ip), () => hash(password, cost));

const nobody = hash('nobody has this password', cost);

/**
 * Returns whether the password matches. It takes the same time if there is no account or no password, so that
 * timing does not reveal which addresses have accounts.
 * @throws as `hashPassword`
 */
export async function passwordMatches(
  stored: string | null,
  password: string,
  ip: string,
): Promise<boolean> {
  const compared = stored ?? (await nobody);
  const matches = await turns.run(networkKey(ip), () => verify(compared, password));
  return stored !== null && matches;
}

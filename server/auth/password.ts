import { hash, verify } from '@node-rs/argon2';
import { FairQueue } from '#server/platform/fair-queue.ts';

// OWASP's second choice for Argon2id: 19 MiB, two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes a core for 20 ms, and one of libuv's four threads, which files and signatures need, too. */
const turns = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 300, mostInAll: 2_000 });

/**
 * @param by whose turn it takes: a network, or an account
 * @throws DomainError 429 when too many of theirs wait
 */
export const hashPassword = (password: string, by: string): Promise<string> =>
  turns.run(by, () => hash(password, cost));

const nobody = hash('nobody has this password', cost);

/**
 * Returns whether the password matches. It takes the same time if there is no account or no password, so that
 * timing does not reveal which addresses have accounts.
 * @param by as for `hashPassword`
 * @throws as `hashPassword`
 */
export async function passwordMatches(
  stored: string | null,
  password: string,
  by: string,
): Promise<boolean> {
  const compared = stored ?? (await nobody);
  const matches = await turns.run(by, () => verify(compared, password));
  return stored !== null && matches;
}

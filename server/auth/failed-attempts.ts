import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';
import { hasUsedDevice, knownDeviceId } from './device.ts';

/**
 * How many attempts are free, after which each waits twice as long as the one before, and in how many
 * seconds one attempt is forgotten. Nobody waits longer than `longestSeconds`, whatever was tried on them.
 */
interface Throttle {
  free: number;
  forgetSeconds: number;
}
const longestSeconds = 900;
const perAccount: Throttle = { free: 5, forgetSeconds: 900 };
/** A browser that the account has signed in from: nobody else's attempts make it wait. */
const perDevice: Throttle = { free: 10, forgetSeconds: 300 };
/** Many people may sit behind one address. */
const perAddress: Throttle = { free: 20, forgetSeconds: 30 };

// Counts the attempt before it is made, so that attempts at once do not all go by the same count. While an
// attempt has to wait nothing is counted: it is refused unseen. What is forgotten meanwhile is a fraction,
// hence the rounding. A free attempt leaves no time behind: those of the same moment would wait for it.
const left = 'greatest(0, t.failures - extract(epoch from now() - t.counted_at) / $3)';
const countAttempt: Statement = {
  name: 'count_attempt',
  text: `insert into failed_tries as t (key, failures, counted_at, free_at)
    values ($1, 1, now(), '-infinity')
    on conflict (key) do update set
      failures = ${left} + 1,
      counted_at = now(),
      free_at = case when round(${left} + 1) < $2 then '-infinity'
        else now() + make_interval(secs =>
          least(${longestSeconds}, power(2, least(20, round(${left} + 1 - $2))))) end
    where t.free_at <= now()
    returning 1`,
};
const waitOf: Statement = {
  name: 'wait_of_tries',
  text: `select greatest(1, ceil(extract(epoch from free_at - now())))::int as seconds
    from failed_tries where key = $1`,
};
const forgetAttempts: Statement = {
  name: 'forget_tries',
  text: 'delete from failed_tries where key = $1',
};
const forgiveTry: Statement = {
  name: 'forgive_try',
  text: 'update failed_tries set failures = greatest(0, failures - 1) where key = $1',
};
const forgetOld: Statement = {
  name: 'forget_old_tries',
  text: `delete from failed_tries where counted_at < now() - interval '1 day'`,
};

const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest();

async function count(services: Services, key: Buffer, patience: Throttle): Promise<void> {
  const free = patience.free * services.config.RATE_LIMIT_SCALE;
  await services.database.connection('outside', async ({ run }) => {
    const [counted] = await run(countAttempt, [key, free, patience.forgetSeconds]);
    if (counted) return;
    const [wait] = await run<{ seconds: number }>(waitOf, [key]);
    const seconds = wait?.seconds ?? 1;
    throw new DomainError(
      'too_many',
      'too_many',
      `Too many tries. Please wait ${seconds} seconds and try again.`,
      { retryAfterSeconds: seconds },
    );
  });
}

export interface Attempt {
  /** It was the right person: what was counted for them is forgotten. */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt to sign in, in the database, so that all processes agree. `subject` is the email or the
 * account; an email that nobody has is counted like any other.
 * @throws DomainError 429 while this account, or this address, has to wait
 */
export async function countSignInAttempt(
  services: Services,
  request: FastifyRequest,
  kind: 'password' | 'second-factor',
  subject: { key: string; email: string },
): Promise<Attempt> {
  const { database } = services;
  const device = knownDeviceId(services.secrets, request);
  const isKnown = await database.connection('outside', (at) =>
    hasUsedDevice(at, subject.email, device),
  );
  const own = isKnown
    ? keyOf('device', kind, subject.key, device ?? '')
    : keyOf('account', kind, subject.key);
  const address = isKnown ? null : keyOf('address', addressKey(request.ip));
  if (address) await count(services, address, perAddress);
  await count(services, own, isKnown ? perDevice : perAccount);
  return {
    succeeded: () =>
      database.connection('outside', async ({ run }) => {
        await Promise.all([
          run(forgetAttempts, [own]),
          ...(address ? [run(forgiveTry, [address])] : []),
        ]);
      }),
  };
}

/** Counts an attempt that names nobody, by its address alone. @throws DomainError 429 */
export async function countAnonymousAttempt(
  services: Services,
  request: FastifyRequest,
): Promise<Attempt> {
  const address = keyOf('address', addressKey(request.ip));
  await count(services, address, perAddress);
  return {
    succeeded: () =>
      services.database.connection('outside', async ({ run }) => {
        await run(forgiveTry, [address]);
      }),
  };
}

/** Whether a mail that anybody can ask for may go to this address now: a few, then less and less often. */
export async function mayMail(services: Services, what: string, email: string): Promise<boolean> {
  try {
    await count(services, keyOf('mail', what, email), { free: 3, forgetSeconds: 1200 });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'too_many') return false;
    throw error;
  }
}

/** Lets an account be tried again at once, on every process. */
export async function forgetAttemptsOn(
  database: Database,
  account: { id: string; email: string },
): Promise<void> {
  const keys = [
    keyOf('account', 'password', account.email),
    keyOf('account', 'second-factor', account.id),
  ];
  await database.connection('outside', async ({ run }) => {
    for (const key of keys) await run(forgetAttempts, [key]);
  });
}

export async function forgetOldAttempts(database: Database): Promise<void> {
  await database.connection('outside', ({ run }) => run(forgetOld, []));
}

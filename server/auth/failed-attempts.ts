import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { Allowance } from '#server/platform/allowance.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { onceForEach } from '#server/platform/once-for-each.ts';
import type { Services } from '#server/services.ts';
import { hasUsedDevice, knownDeviceId } from './device.ts';

/**
 * `free` attempts pass without a wait. After that, each wait is twice the previous one, up to
 * `longestSeconds`. One attempt is forgotten every `forgetSeconds`.
 */
interface Throttle {
  free: number;
  forgetSeconds: number;
}
const longestSeconds = 900;
const perAccount: Throttle = { free: 5, forgetSeconds: 900 };
/** A browser that the account has signed in from, so that other people's attempts do not make it wait. */
const perDevice: Throttle = { free: 10, forgetSeconds: 300 };
/**
 * Attempts of an account that succeed, in this process. They are forgotten in the database, and each takes as much work
 * as one that fails. Only who knows the password uses them up.
 */
const successes = { burst: 12, perSecond: 0.1 };
const successesOf = onceForEach(
  ({ RATE_LIMIT_SCALE }: Config) => new Allowance(successes, RATE_LIMIT_SCALE),
);
/** Many people may share one address. */
const perAddress: Throttle = { free: 20, forgetSeconds: 30 };

// Counts the attempt before it is made, so that concurrent attempts do not all see the same count. While an
// attempt must wait, it is refused unseen and not counted. Forgetting subtracts a fraction, hence the
// rounding. A free attempt sets no waiting time, because concurrent attempts would have to wait for it.
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
    throw tooManyAttempts(wait?.seconds ?? 1);
  });
}

const tooManyAttempts = (seconds: number) =>
  new DomainError(
    'too_many',
    'too_many',
    `Too many attempts. Please wait ${seconds} seconds and try again.`,
    { retryAfterSeconds: seconds },
  );

export interface Attempt {
  /**
   * Call this after a successful attempt. Clears the count of the account or device, and takes the attempt
   * off the count of the address.
   */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt to sign in. The count is in the database, so that all processes agree. `subject` is the
 * email or the account; an unknown email is counted like any other.
 * @throws DomainError 429 while this account or this address must wait, also after many that succeeded
 */
export async function countSignInAttempt(
  services: Services,
  request: FastifyRequest,
  kind: 'password' | 'second-factor',
  subject: { key: string; email: string },
): Promise<Attempt> {
  const { database } = services;
  const succeeded = successesOf(services.config);
  const key = `${kind} ${subject.key}`;
  const waitMs = succeeded.debtMs(key);
  if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000));
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
    succeeded: () => {
      succeeded.spend(key, 1);
      return database.connection('outside', async ({ run }) => {
        await Promise.all([
          run(forgetAttempts, [own]),
          ...(address ? [run(forgiveTry, [address])] : []),
        ]);
      });
    },
  };
}

/** Counts an attempt that names no account, by its address only. @throws DomainError 429 */
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

/**
 * Returns whether a mail that anyone can request may go to this address now. The allowed rate shrinks with
 * use.
 */
export async function mayMail(services: Services, what: string, email: string): Promise<boolean> {
  try {
    await count(services, keyOf('mail', what, email), { free: 3, forgetSeconds: 1200 });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'too_many') return false;
    throw error;
  }
}

const devicesOf: Statement = {
  name: 'devices_of_account',
  text: 'select device_id::text as id from account_devices where account_id = $1',
};

/** Clears the waits of an account and of the browsers that it has signed in from, on every process. */
export async function forgetAttemptsOn(
  database: Database,
  account: { id: string; email: string },
): Promise<void> {
  await database.connection('outside', async ({ run }) => {
    const devices = await run<{ id: string }>(devicesOf, [account.id]);
    const keys = [
      ['password', account.email],
      ['second-factor', account.id],
    ].flatMap(([kind = '', subject = '']) => [
      keyOf('account', kind, subject),
      ...devices.map(({ id }) => keyOf('device', kind, subject, id)),
    ]);
    for (const key of keys) await run(forgetAttempts, [key]);
  });
}

export async function forgetOldAttempts(database: Database): Promise<void> {
  await database.connection('outside', ({ run }) => run(forgetOld, []));
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Database, Statement } from './database.ts';
import { requestTimeouts } from './database-timeouts.ts';

/** Usual transactions are over by then, so that they need not be canceled. */
const patienceMs = 500;
/** A transaction between two of its statements is not canceled, so it is tried again. */
const intervalMs = 25;

// The lock timeout applies to each lock, and leaves time to cancel all transactions that wait for it already.
const beginOverruling: Statement = {
  name: 'begin_overruling_locks',
  text: "select pg_backend_pid() as pid, set_config('lock_timeout', '2s', true)",
};
const ownTimeout: Statement = {
  name: 'lock_timeout_of_overruling',
  text: `select pg_backend_pid() as pid,
    (extract(epoch from current_setting('lock_timeout')::interval) * 1000)::int as "timeoutMs"`,
};
/** The part of the lock timeout that passes before others are canceled. */
const patientPart = 0.8;
// PostgreSQL lets a role cancel its own transactions. Those of other roles, such as the operator's, stay.
const cancelBlocking: Statement = {
  name: 'cancel_blocking_transactions',
  text: `select pg_cancel_backend(b.pid) from unnest(pg_blocking_pids($1)) as b (pid)
    join pg_stat_activity a on a.pid = b.pid and a.usename = current_user`,
};

/**
 * Runs work of the transaction `tx`, and cancels other transactions of this application that keep it waiting
 * for a lock for more than half a second. Their requests are answered 503. For changes that an organization
 * must not delay by its own transactions, because it controls how long they take.
 * @throws the database's lock timeout (`isLockRefused`) if a lock is held nevertheless
 */
export async function overruleLocks<T>(
  database: Pick<Database, 'lookUp'>,
  tx: Pick<Connection, 'run'>,
  work: () => Promise<T>,
): Promise<T> {
  const [own] = await tx.run<{ pid: number }>(beginOverruling, []);
  return cancelingOthers(database, own, patienceMs, work);
}

/**
 * As `overruleLocks`, but cancels others only where the wait would soon end with the lock timeout (eight of ten
 * seconds). For revocations, which are not to be refused, and may wait for long changes of the same organization.
 * @throws as `overruleLocks`
 */
export async function overruleLocksAtLast<T>(
  database: Pick<Database, 'lookUp'>,
  tx: Pick<Connection, 'run'>,
  work: () => Promise<T>,
): Promise<T> {
  const [own] = await tx.run<{ pid: number; timeoutMs: number }>(ownTimeout, []);
  const timeoutMs = own?.timeoutMs || requestTimeouts.lock_timeout;
  return cancelingOthers(database, own, timeoutMs * patientPart, work);
}

async function cancelingOthers<T>(
  database: Pick<Database, 'lookUp'>,
  own: { pid: number } | undefined,
  afterMs: number,
  work: () => Promise<T>,
): Promise<T> {
  if (!own) throw new Error('PostgreSQL did not name the process of this connection');
  const over = new AbortController();
  // Without it, the lock timeout ends the wait.
  const canceling = cancelUntil(database, own.pid, afterMs, over.signal).catch(() => undefined);
  try {
    return await work();
  } finally {
    over.abort();
    // The process serves other transactions afterward.
    await canceling;
  }
}

async function cancelUntil(
  database: Pick<Database, 'lookUp'>,
  pid: number,
  afterMs: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(afterMs, undefined, { signal });
  while (!signal.aborted) {
    await database.lookUp(cancelBlocking, [pid]);
    await sleep(intervalMs, undefined, { signal });
  }
}

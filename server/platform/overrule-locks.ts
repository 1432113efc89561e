import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Database, Statement } from './database.ts';

/** Usual transactions are over by then, so that they need not be canceled. */
const patienceMs = 500;
/** A transaction between two of its statements is not canceled, so it is tried again. */
const intervalMs = 25;

// The lock timeout applies to each lock, and leaves time to cancel all transactions that wait for it already.
const beginOverruling: Statement = {
  name: 'begin_overruling_locks',
  text: "select pg_backend_pid() as pid, set_config('lock_timeout', '2s', true)",
};
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
  if (!own) throw new Error('PostgreSQL did not name the process of this connection');
  const over = new AbortController();
  // Without it, the lock timeout ends the wait.
  const canceling = cancelUntil(database, own.pid, over.signal).catch(() => undefined);
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
  signal: AbortSignal,
): Promise<void> {
  await sleep(patienceMs, undefined, { signal });
  while (!signal.aborted) {
    await database.lookUp(cancelBlocking, [pid]);
    await sleep(intervalMs, undefined, { signal });
  }
}

import type pg from 'pg';
import type { Statement } from './database.ts';

/**
 * Raises the statement timeout to ten minutes, as the first statement of a transaction that may
 * take long, such as the removal of an organization. The lock timeout stays the same.
 */
export const takesLong: Statement = {
  name: 'takes_long',
  text: "select set_config('statement_timeout', '10min', true)",
};

/**
 * Waits half a second for each lock and gives each statement two seconds, until the transaction ends. For
 * transactions that hold what others need, such as the admins of an organization or an account, and want rows that
 * still others may have locked. Those decide how long they keep them.
 */
export const actsBriefly: Statement = {
  name: 'acts_briefly',
  text: "select set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '2s', true)",
};

/**
 * Time limits in milliseconds for a statement, a wait for a lock, and an idle transaction. When one
 * is exceeded, PostgreSQL ends the statement or the connection, and the request is answered 503 or
 * 409.
 */
export const requestTimeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} satisfies pg.PoolConfig;

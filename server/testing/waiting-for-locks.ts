import type { TestApp } from './open-test-app.ts';

/** Resolves once this many connections to the app's database wait for a lock. */
export async function waitingForLocks(app: TestApp, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await app.services.database.connection('outside', ({ query }) =>
      query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      ),
    );
    if (rows.length >= count) return;
  }
}

/**
 * Returns how many connections to the app's database wait for a lock. The owner's connection asks,
 * even within a transaction.
 */
export async function lockWaiters(app: TestApp): Promise<number> {
  // Within a transaction the owner would otherwise get the same snapshot again.
  await app.owner.query('select pg_stat_clear_snapshot()');
  const { rows } = await app.owner.query(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

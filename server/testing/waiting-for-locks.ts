import type { TestApp } from './open-test-app.ts';

/** Resolves once so many connections to the database of the app wait for a lock. */
export async function waitingForLocks(app: TestApp, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await app.services.database.read('outside', ({ query }) =>
      query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      ),
    );
    if (rows.length >= count) return;
  }
}

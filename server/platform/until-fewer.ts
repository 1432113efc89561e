import type { Database, Statement } from './database.ts';

/**
 * Runs a job's statement that changes `atOnce` rows at most and returns how many as `n`, each time in a transaction of
 * its own, until fewer are left.
 * @param values of the statement, before `atOnce`
 */
export async function untilFewer(
  database: Database,
  statement: Statement,
  values: readonly unknown[],
  atOnce: number,
): Promise<void> {
  for (;;) {
    const [changed] = await database.connection('outside', ({ run }) =>
      run<{ n: number }>(statement, [...values, atOnce]),
    );
    if ((changed?.n ?? 0) < atOnce) return;
  }
}

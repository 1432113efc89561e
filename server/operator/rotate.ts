import type { Database } from '#server/platform/database.ts';
import { isSealedByCurrent, seal, unseal } from '#server/platform/seal.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

interface Row {
  key: string;
  sealed: string;
}

/**
 * Seals again, with the current secret, what a former one sealed. Afterwards only existing guest links need
 * the former one. Sessions need neither: they are random, and stored as hashes.
 * @returns what was done, as a sentence
 * @throws SealError if a former secret is missing
 */
export async function rotate(database: Database, secrets: Secrets): Promise<string> {
  let sealedAnew = 0;
  let found = 0;
  for (const column of sealedColumns) {
    const rows = await database.connection('outside', ({ run }) => run<Row>(listOf(column), []));
    found += rows.length;
    for (const row of rows) {
      if (isSealedByCurrent(secrets, column.purpose, row.sealed)) continue;
      const text = unseal(secrets, column.purpose, row.key, row.sealed);
      const anew = seal(secrets, column.purpose, row.key, text);
      // Replaces only an unchanged value, because it may change concurrently.
      const replaced = await database.connection('outside', ({ run }) =>
        run(replaceIn(column), [row.key, row.sealed, anew]),
      );
      sealedAnew += replaced.length;
    }
  }
  return `${sealedAnew} of ${found} sealed secrets were sealed anew. Guest links made before stay good as long as the former key is known: renew them, or keep it in SECRET_KEY_PREVIOUS.`;
}

const listOf = ({ table, key, column }: SealedColumn) => ({
  name: `rotate_list_${table}_${column}`,
  text: `select ${key}::text as key, ${column} as sealed from ${table} where ${column} is not null`,
});
const replaceIn = ({ table, key, column }: SealedColumn) => ({
  name: `rotate_replace_${table}_${column}`,
  text: `update ${table} set ${column} = $3 where ${key}::text = $1 and ${column} = $2 returning 1`,
});

import type { QueryResultRow } from 'pg';
import { Batches } from './batches.ts';
import type { Database, Statement } from './database.ts';

/** Requests that one lookup answers. More would wait for the same round trip anyway. */
const mostTogether = 100;

/**
 * Looks up rows by the hash of a token, once for the requests of the same token that arrive while an earlier lookup of
 * it is under way: a page asks ten times when it opens. A lookup begins after all of its requests have arrived, so each
 * sees what was revoked before it.
 */
export class SharedLookUps<Row extends QueryResultRow> {
  readonly #statement: Statement;
  readonly #of = new WeakMap<Database, Batches<Buffer, Row | undefined>>();

  /** @param statement has the hash as its only value */
  constructor(statement: Statement) {
    this.#statement = statement;
  }

  /** Returns the first row, if there is one. Others may have it, too, so it must not be changed. */
  find(database: Database, hash: Buffer): Promise<Readonly<Row> | undefined> {
    return this.#batchesOf(database).add(hash.toString('latin1'), hash);
  }

  #batchesOf(database: Database): Batches<Buffer, Row | undefined> {
    const found = this.#of.get(database);
    if (found) return found;
    const made = new Batches<Buffer, Row | undefined>(mostTogether, async (_key, hashes) => {
      const [row] = await database.lookUp<Row>(this.#statement, hashes.slice(0, 1));
      return hashes.map(() => row);
    });
    this.#of.set(database, made);
    return made;
  }
}

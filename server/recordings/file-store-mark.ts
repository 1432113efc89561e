import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database, Statement } from '#server/platform/database.ts';
import { FileMissingError, type FileStore } from '#server/providers/files/port.ts';

/** The file that names the database whose files are in the store. */
export const markKey = 'installation';

const read: Statement = {
  name: 'file_store_mark',
  text: 'select mark, next_mark as "nextMark" from file_store_mark',
};
// Both are accepted until the file is written.
const prepare: Statement = {
  name: 'prepare_file_store_mark',
  text: 'update file_store_mark set mark = $1, next_mark = $2',
};

/**
 * Renews the mark of this installation in its file store.
 * @returns false if the store has the mark of another one, which then uses it, too
 */
export async function markFileStore(database: Database, files: FileStore): Promise<boolean> {
  const ask = <Row extends object>(statement: Statement, values: unknown[]) =>
    database.connection('outside', ({ run }) =>
      run<Row & Record<string, unknown>>(statement, values),
    );
  const found = await markIn(files);
  const [own] = await ask<{ mark: string | null; nextMark: string | null }>(read, []);
  if (found !== null && found !== own?.mark && found !== own?.nextMark) return false;
  const next = randomUUID();
  await ask(prepare, [found, next]);
  await files.put(markKey, Readable.from([Buffer.from(next)]), next.length);
  await ask(prepare, [next, null]);
  return true;
}

async function markIn(files: FileStore): Promise<string | null> {
  try {
    return await text(await files.get(markKey));
  } catch (error) {
    if (error instanceof FileMissingError) return null;
    throw error;
  }
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Config } from '#server/config.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { DataFolderError } from '#server/platform/embedded-postgres/data-folder-error.ts';
import { openDataFolder } from '#server/platform/embedded-postgres/file-locations.ts';
import { runningConnection } from '#server/platform/embedded-postgres/running.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts';
import { openLog } from '#server/platform/log.ts';
import { secretTexts } from '#server/secret-settings.ts';

export interface OperatorDatabase {
  /** Connected as the owner, who bypasses row-level security: each statement must name its organization. */
  database: Database;
  close(): Promise<void>;
}

/**
 * Opens the installation's database for the operator's command line: that of DATABASE_URL, or the embedded
 * PostgreSQL, which is started if Rapport is not running.
 * @throws an Error whose message is a sentence for the operator
 */
export async function openOperatorDatabase(config: Config): Promise<OperatorDatabase> {
  const { login, stop } = config.DATABASE_URL
    ? { login: { connectionString: config.DATABASE_URL }, stop: async () => {} }
    : await ownLogin(resolve(config.DATA_DIR));
  const database = openDatabase({ ...login, max: 2 }, openLog('warn', null, secretTexts(config)));
  const close = async () => {
    await database.close();
    await stop();
  };
  try {
    await database.connection('outside', ({ query }) =>
      query('select 1 from organizations limit 1', []),
    );
    return { database, close };
  } catch (error) {
    await close();
    throw new Error(
      `The database of Rapport cannot be read: ${error instanceof Error ? error.message : error}. Start Rapport once, or check DATABASE_URL.`,
    );
  }
}

async function ownLogin(
  dataDir: string,
): Promise<{ login: pg.PoolConfig; stop: () => Promise<void> }> {
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `There is no Rapport in ${dataDir} yet. Start it once, or name its folder: DATA_DIR=… npm run admin -- …`,
    );
  }
  const on = { database: 'rapport', ssl: false };
  try {
    const own = await startEmbeddedPostgres({ dataDir, log: () => {} });
    return { login: { ...own.connection, ...on }, stop: () => own.stop() };
  } catch (error) {
    if (!(error instanceof DataFolderError && error.problem === 'in-use')) throw error;
    const running = runningConnection(openDataFolder(dataDir));
    return { login: { ...running, ...on }, stop: async () => {} };
  }
}

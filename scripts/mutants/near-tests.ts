import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The tests of one run of Stryker: a project of vitest.config.ts, and its files. */
export interface Tests {
  project: 'unit' | 'server';
  files: string[];
}

/** How many folders of importers are searched for tests: the first have the most importers. */
const mostFolders = 3;

const testsIn = (folder: string) => globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root });

/** The noun's folder, such as `domain/scim`, or the root, such as `domain`, of a file that has none. */
export const nounOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

/**
 * Chooses the tests of the files of one noun: first those beside them and those that need no database,
 * then those of the server's folder of that name. Without one, the server's folders that import the
 * files most often stand in for it. Later tests are for what the earlier ones do not notice.
 */
export function nearTests(noun: string, files: readonly string[]): Tests[] {
  const name = noun.split('/')[1];
  if (noun.startsWith('server/')) return [{ project: 'server', files: testsIn(noun) }];
  const unit = name === undefined ? [] : [`domain/${name}`, `web/${name}`].flatMap(testsIn);
  const beside = name === undefined ? globSync(`${noun}/*.test.ts`, { cwd: root }) : [];
  const inServer = name === undefined ? [] : testsIn(`server/${name}`);
  const importers = inServer.length > 0 ? [] : foldersThatImport(files).flatMap(testsIn);
  const server = noun.startsWith('web') ? [] : [...inServer, ...importers];
  const all: Tests[] = [
    { project: 'unit', files: [...unit, ...beside] },
    { project: 'server', files: server },
  ];
  return all.filter((each) => each.files.length > 0);
}

function foldersThatImport(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const importer of globSync('server/*/**/*.ts', { cwd: root })) {
    if (importer.startsWith('server/testing/')) continue;
    const text = readFileSync(join(root, importer), 'utf8');
    if (!files.some((file) => text.includes(`'#${file}'`))) continue;
    const folder = nounOf(importer);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostFolders)
    .map(([folder]) => folder);
}

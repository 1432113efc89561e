import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from './fail.ts';
import { installRetire, type Retire } from './install-retire.ts';

/**
 * Checks the shipped code for known vulnerabilities: Retire scans the built pages and a page made
 * of the packages of the lock, and `npm audit` runs if its registry answers. Skipped checks are
 * printed.
 */
const root = join(import.meta.dirname, '..');
const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});
const report = z.object({
  data: z.array(
    z.object({
      file: z.string(),
      results: z.array(z.object({ component: z.string(), version: z.string() })),
    }),
  ),
});

/** Returns Retire's findings for the files of a folder, one line each. */
function found({ program, list }: Retire, folder: string): string[] {
  const args = [program, '--jsrepo', list, '--path', folder, '--outputformat', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const read = report.safeParse(JSON.parse(stdout || 'null'));
  if (!read.success) throw new Error(`Retire gave no report: ${stderr}`);
  return read.data.data.flatMap(({ file, results }) =>
    results.map(({ component, version }) => `${component} ${version} in ${file}`),
  );
}

/**
 * Creates files named as Retire recognizes libraries, so that it reports what it knows about each
 * package of the lock.
 */
function namesOfPackages(folder: string): void {
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  for (const [path, { version }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (name && !name.startsWith('@') && version)
      writeFileSync(join(folder, `${name}-${version}.js`), '');
  }
}

function askRetire(retire: Retire): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-retire-'));
  try {
    // Without this check, a Retire that finds nothing at all would pass.
    writeFileSync(join(folder, 'jquery-1.8.1.js'), '');
    if (found(retire, folder).length === 0)
      throw new Error('Retire knows no hole of jQuery 1.8.1.');
    rmSync(join(folder, 'jquery-1.8.1.js'));
    namesOfPackages(folder);
    return [...found(retire, join(root, 'dist')), ...found(retire, folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const audit = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});

/** Returns null if the registry does not answer. */
function askAudit(): string[] | null {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const read = audit.safeParse(JSON.parse(stdout || 'null'));
  if (!read.success) return null;
  return Object.entries(read.data.vulnerabilities).map(
    ([name, { severity }]) => `${name}: ${severity}, says npm audit`,
  );
}

try {
  if (!existsSync(join(root, 'dist')))
    throw new Error('There are no built pages: npm start first.');
  const retire = installRetire();
  const retired = retire && askRetire(retire);
  const audited = askAudit();
  if (retired === null) console.log('Retire could not be fetched: it was not asked.');
  if (audited === null) console.log('The registry does not answer npm audit: it was not asked.');
  const holes = [...(retired ?? []), ...(audited ?? [])];
  if (holes.length > 0) throw new Error(`Known holes:\n  ${holes.join('\n  ')}`);
  if (retired) console.log('Retire knows no hole in what ships.');
} catch (error) {
  fail(error);
}

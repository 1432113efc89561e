import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Mutant, MutantResult } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const root = join(import.meta.dirname, '../..');

const ignore = () => undefined;
const never = () => false;
const silent: Logger = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

/** Of a mutant, or of what became of it. */
type Place = Pick<MutantResult, 'fileName' | 'location' | 'replacement'>;

/**
 * Names a mutant by its place and what stands there instead. Stryker's own numbers depend on which
 * files are mutated together.
 * @param folder the absolute folder that `fileName` is in: the repository or its copy
 */
export function keyOf({ fileName, location, replacement }: Place, folder: string): string {
  const { start, end } = location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${relative(folder, fileName).replaceAll('\\', '/')}:${place} ${replacement}`;
}

/** The product's files of a folder, from the repository's root, without tests and what only tests use. */
export function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
    .filter((file) => !/\.(test|d)\.tsx?$|\/testing\//.test(file))
    .sort();
}

/** Every mutant that Stryker makes of these files. */
export async function mutantsOf(files: readonly string[]): Promise<Mutant[]> {
  const read = files.map((file) => {
    const name = join(root, file);
    return { name, content: readFileSync(name, 'utf8'), mutate: true };
  });
  const { mutants } = await new Instrumenter(silent).instrument(read, {
    ignorers: [],
    excludedMutations: [],
    plugins: null,
  });
  return [...mutants];
}

/**
 * Chooses `count` of the keys. Each key's rank is its hash with the seed, so the same seed chooses the
 * same mutants, and a change of one file leaves the mutants of the others chosen.
 */
export function sampleOf(keys: readonly string[], count: number, seed: number): string[] {
  const rank = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  return [...new Set(keys)]
    .map((key) => ({ key, at: rank(key) }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, count)
    .map(({ key }) => key);
}

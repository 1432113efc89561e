import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLevel, MutantResult, Position } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { z } from 'zod';
import type { Tests } from './near-tests.ts';
import { keyOf } from './sample.ts';

const root = join(import.meta.dirname, '../..');

/** The file of a key of `keyOf`. */
export const fileOf = (key: string): string => key.slice(0, key.indexOf(':'));

interface Outcome {
  key: string;
  status: MutantResult['status'];
}

/** Of tests that fail without a mutant, as happens on a busy machine. */
const mostLeftOut = 5;

/**
 * Runs the mutants with these keys, one at a time, each with those of the tests that reach it. One
 * that only runs while a module loads is run with all of them. Tests that fail without a mutant are
 * left out, and named.
 * @returns what became of each key; nothing for those that no longer name a mutant
 */
export async function runStryker(keys: readonly string[], tests: Tests): Promise<Outcome[]> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/mutants-'));
  const failedFile = join(folder, 'failed.json');
  process.env.MUTANTS_FAILED = failedFile;
  try {
    let { files } = tests;
    for (let leftOut = 0; ; leftOut += 1) {
      try {
        return await runIn(folder, keys, { ...tests, files });
      } catch (error) {
        const failed = existsSync(failedFile)
          ? z.array(z.string()).parse(JSON.parse(readFileSync(failedFile, 'utf8')))
          : [];
        if (failed.length === 0 || leftOut === mostLeftOut) throw error;
        console.log(`Left out, because it failed without a mutant: ${failed.join(', ')}`);
        files = files.filter((file) => !failed.includes(file));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, keys: readonly string[], tests: Tests): Promise<Outcome[]> {
  process.env.MUTANTS_SAMPLE = join(folder, 'sample.json');
  process.env.MUTANTS_TESTS = join(folder, 'tests.json');
  writeFileSync(process.env.MUTANTS_SAMPLE, JSON.stringify(keys));
  writeFileSync(process.env.MUTANTS_TESTS, JSON.stringify(tests));
  const stryker = new Stryker({
    mutate: [...new Set(keys.map(fileOf))],
    testRunner: 'vitest',
    // No `testFiles`: with them, Stryker changes what runs while a module loads only after that.
    vitest: { configFile: 'scripts/mutants/project-config.ts', related: true },
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutants/only-sample.ts'],
    checkers: ['only-sample'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Stryker reads it with the programming interface of TypeScript, which version 7 does not have.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    tempDirName: join(folder, 'copy'),
    ignorePatterns: ['/dist', '/.cache', '.tsbuild', '/bench/results', '/data*'],
    dryRunTimeoutMinutes: 30,
    // Added to the time that its tests took: a busy machine takes its time.
    timeoutMS: 20_000,
    allowEmpty: true,
    reporters: ['dots'],
    // An enum that only its types have: no value can be imported.
    logLevel: 'error' as LogLevel,
    warnings: false,
    allowConsoleColors: false,
  });
  const results = await stryker.runMutationTest();
  return results
    .filter(({ status }) => status !== 'CompileError')
    .map(({ status, ...mutant }) => ({ key: keyOf(countedFromZero(mutant), root), status }));
}

/** Results count lines and columns from one, as reports do, and the mutants before them from zero. */
function countedFromZero<T extends Pick<MutantResult, 'location'>>(mutant: T): T {
  const { start, end } = mutant.location;
  const before = ({ line, column }: Position) => ({ line: line - 1, column: column - 1 });
  return { ...mutant, location: { start: before(start), end: before(end) } };
}

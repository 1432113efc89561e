import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import type { Tests } from './near-tests.ts';

const root = join(import.meta.dirname, '../..');

/** The file of a key of `keyOf`. */
export const fileOf = (key: string): string => key.slice(0, key.indexOf(':'));

/**
 * Runs the mutants with these keys, one at a time, each with those of the tests that reach it. One
 * that only runs while a module loads is run with all of them.
 * @returns nothing for keys that no longer name a mutant
 */
export async function runStryker(
  keys: readonly string[],
  { project, files }: Tests,
): Promise<MutantResult[]> {
  const cache = join(root, '.cache/mutants');
  mkdirSync(cache, { recursive: true });
  process.env.MUTANTS_SAMPLE = join(cache, `sample-${process.pid}.json`);
  process.env.MUTANTS_PROJECT = project;
  writeFileSync(process.env.MUTANTS_SAMPLE, JSON.stringify(keys));
  const stryker = new Stryker({
    mutate: [...new Set(keys.map(fileOf))],
    testRunner: 'vitest',
    testFiles: files,
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: true },
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutants/only-sample.ts'],
    checkers: ['only-sample'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Stryker reads it with the programming interface of TypeScript, which version 7 does not have.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    tempDirName: `.cache/mutants/copy-${process.pid}`,
    ignorePatterns: ['/dist', '/.cache', '.tsbuild', '/bench/results', '/data*'],
    dryRunTimeoutMinutes: 30,
    // The copy is used by one run at a time, and no test of a mutant takes longer than this by itself.
    timeoutMS: 20_000,
    allowEmpty: true,
    reporters: ['dots'],
    logLevel: 'error',
    warnings: false,
    allowConsoleColors: false,
  });
  const results = await stryker.runMutationTest();
  return results.filter(({ status }) => status !== 'CompileError');
}

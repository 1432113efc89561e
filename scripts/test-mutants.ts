import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { fail } from './fail.ts';
import { keyOf, mutantsOf, sampleOf, sourcesOf } from './mutants/sample.ts';

/**
 * Mutation testing: changes the code at random places and runs the tests that reach them, of which
 * one must fail. `npm run test:mutants -- FOLDER [--count 200] [--seed 1]` prints the score and those
 * that survived; docs/decisions/0030-mutation-testing.md has the scores and the reasons.
 * `--project` and `--tests` (globs, repeatable) choose the tests, `--only FILE` takes the keys of an
 * earlier run's survivors instead of a sample, `--out FILE` writes them.
 */
const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    project: { type: 'string' },
    tests: { type: 'string', multiple: true },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});

/** A minute more than most dry runs need, for a busy machine. */
const dryRunMinutes = 30;

async function chosenKeys(folders: string[]): Promise<{ keys: string[]; of: number }> {
  const files = folders.flatMap(sourcesOf);
  if (files.length === 0) throw new Error('Use: npm run test:mutants -- FOLDER');
  const all = (await mutantsOf(files)).map((mutant) => keyOf(mutant, root));
  if (values.only === undefined)
    return { keys: sampleOf(all, Number(values.count), Number(values.seed)), of: all.length };
  const wanted = new Set<string>(JSON.parse(readFileSync(values.only, 'utf8')));
  return { keys: all.filter((key) => wanted.has(key)), of: all.length };
}

try {
  const { keys, of } = await chosenKeys(positionals);
  console.log(`${keys.length} of ${of} mutants, seed ${values.seed}`);
  const cache = join(root, '.cache/mutants');
  mkdirSync(cache, { recursive: true });
  process.env.MUTANTS_SAMPLE = join(cache, 'sample.json');
  writeFileSync(process.env.MUTANTS_SAMPLE, JSON.stringify(keys));
  const isServer = positionals.every((folder) => folder.startsWith('server'));
  process.env.MUTANTS_PROJECT = values.project ?? (isServer ? 'server' : 'unit');
  const stryker = new Stryker({
    mutate: [...new Set(keys.map((key) => key.slice(0, key.indexOf(':'))))],
    testRunner: 'vitest',
    testFiles: values.tests ?? positionals.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: true },
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutants/only-sample.ts'],
    checkers: ['only-sample'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Stryker reads it with the programming interface of TypeScript, which version 7 does not have.
    tsconfigFile: 'none.json',
    tempDirName: '.cache/mutants/copy',
    ignorePatterns: ['/dist', '/.cache', '.tsbuild', '/bench/results', '/data*'],
    dryRunTimeoutMinutes: dryRunMinutes,
    reporters: [],
    disableTypeChecks: false,
    allowConsoleColors: false,
  });
  const results = (await stryker.runMutationTest()).filter(({ status }) => status !== 'CompileError');
  const of_ = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status));
  const survivors = of_('Survived', 'NoCoverage');
  for (const { fileName, location, status, mutatorName, replacement } of survivors) {
    const place = `${relative(root, fileName)}:${location.start.line}:${location.start.column}`;
    console.log(`${status} ${place} ${mutatorName}: ${replacement}`);
  }
  if (values.out !== undefined)
    writeFileSync(values.out, JSON.stringify(survivors.map((each) => keyOf(each, root)), null, 2));
  const killed = of_('Killed').length;
  const late = of_('Timeout').length;
  const errors = of_('RuntimeError').length;
  console.log(
    `${killed + late} of ${results.length - errors} killed (${late} by time), ${errors} without a result`,
  );
} catch (error) {
  fail(error);
}

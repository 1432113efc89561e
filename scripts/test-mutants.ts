import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from './fail.ts';
import { nounOf, testsOf } from './mutants/near-tests.ts';
import { fileOf, runStryker } from './mutants/run-stryker.ts';
import { keyOf, mutantsOf, sampleOf, sourcesOf } from './mutants/sample.ts';

/**
 * Mutation testing: changes the code at random places, one at a time, and runs the tests that reach
 * it, of which one must fail. `npm run test:mutants -- FOLDER… [--count 200] [--seed 1]` prints those
 * that nothing noticed, and the score. docs/decisions/0030-mutation-testing.md has the scores.
 *
 *   --group 50         how many Stryker tries in one run, in the order of the files' names
 *   --part 2/4         only every fourth of these groups, from the second
 *   --project unit     only tests of this project, unit or server, instead of one after the other
 *   --tests FILE       these tests instead of the near ones; repeatable
 *   --only FILE        what nothing noticed in an earlier run, instead of a sample
 *   --out FILE         writes what nothing noticed
 */
const root = join(import.meta.dirname, '..');
const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    tests: { type: 'string', multiple: true },
    project: { type: 'string' },
    group: { type: 'string', default: '50' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});

/** So that a run of Stryker ends in minutes. */
const mostInGroup = Number(values.group);

const projectsWanted = (['unit', 'server'] as const).filter(
  (each) => values.project === undefined || each === values.project,
);

const total = { noticed: 0, late: 0, of: 0, broken: 0 };
const unnoticed: string[] = [];

async function chosenKeys(): Promise<string[]> {
  const files = folders.flatMap(sourcesOf);
  if (files.length === 0) throw new Error('Use: npm run test:mutants -- FOLDER');
  const all = (await mutantsOf(files)).map((mutant) => keyOf(mutant, root));
  const chosen =
    values.only === undefined
      ? sampleOf(all, Number(values.count), Number(values.seed))
      : all.filter((key) => earlier.has(key));
  console.log(`${chosen.length} of ${all.length} mutants, seed ${values.seed}`);
  return chosen;
}

const earlier = new Set<string>(
  values.only === undefined ? [] : JSON.parse(readFileSync(values.only, 'utf8')),
);

/** Runs of Stryker, of whole nouns as far as possible, so that their tests are run once. */
function groupsOf(keys: string[]): string[][] {
  const ordered = keys.toSorted();
  const groups = Array.from({ length: Math.ceil(ordered.length / mostInGroup) }, (_, at) =>
    ordered.slice(at * mostInGroup, (at + 1) * mostInGroup),
  );
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  return groups.filter((_, at) => at % parts === part - 1);
}

async function testGroup(keys: string[]): Promise<void> {
  let left = keys;
  let broken: string[] = [];
  for (const project of projectsWanted) {
    const files = values.tests ?? testsOf(project, [...new Set(left.map(fileOf))]);
    if (left.length === 0 || files.length === 0) continue;
    const results = await runStryker(left, { project, files });
    const withStatus = (...statuses: string[]) => [
      ...new Set(results.filter((each) => statuses.includes(each.status)).map(({ key }) => key)),
    ];
    const missing = left.filter((key) => !results.some((each) => each.key === key));
    if (missing.length > 0) throw new Error(`Stryker did not try ${missing.join(', ')}`);
    left = withStatus('Survived', 'NoCoverage');
    broken = [...broken, ...withStatus('RuntimeError')];
    total.late += withStatus('Timeout').length;
    console.log(`\n${project}, ${files.length} files: ${left.length} not noticed`);
  }
  total.noticed += keys.length - left.length - broken.length;
  total.broken += broken.length;
  total.of += keys.length;
  unnoticed.push(...left);
  const nouns = [...new Set(keys.map((key) => nounOf(fileOf(key))))].join(', ');
  console.log(`${nouns}: ${keys.length - left.length} of ${keys.length}`);
  for (const key of left) console.log(`  ${key}`);
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(unnoticed, null, 2));
}

try {
  for (const group of groupsOf(await chosenKeys())) await testGroup(group);
  console.log(
    `\n${total.noticed} of ${total.of - total.broken} noticed, ${total.late} of them by time; ` +
      `${total.broken} broke the runner`,
  );
} catch (error) {
  fail(error);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from './fail.ts';
import { nearTests, nounOf, type Tests } from './mutants/near-tests.ts';
import { fileOf, runStryker } from './mutants/run-stryker.ts';
import { keyOf, mutantsOf, sampleOf, sourcesOf } from './mutants/sample.ts';

/**
 * Mutation testing: changes the code at random places, one at a time, and runs the tests that reach
 * it, of which one must fail. `npm run test:mutants -- FOLDER… [--count 200] [--seed 1]` prints those
 * that nothing noticed, and the score. docs/decisions/0030-mutation-testing.md has the scores.
 *
 *   --part 2/4         only every fourth group, from the second: one noun, such as domain/scim
 *   --tests GLOB       these tests instead of the near ones; repeatable
 *   --project server   the project of `--tests`; unit is the default
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
    project: { type: 'string', default: 'unit' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});

/** Of a noun that has many, so that a run of Stryker ends in minutes. */
const mostInGroup = 40;

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

/** Runs of Stryker, each with the mutants of one noun. Tests that are given test all in one run. */
function groupsOf(keys: string[]): { keys: string[]; rounds: Tests[] }[] {
  if (values.tests !== undefined) {
    const project = values.project === 'server' ? 'server' : 'unit';
    return [{ keys, rounds: [{ project, files: values.tests }] }];
  }
  const byNoun = Map.groupBy(keys, (key) => nounOf(fileOf(key)));
  const groups = [...byNoun].flatMap(([noun, ofNoun]) => {
    const rounds = nearTests(noun, [...new Set(ofNoun.map(fileOf))]);
    const pieces = Math.ceil(ofNoun.length / mostInGroup);
    return Array.from({ length: pieces }, (_, at) => ({
      keys: ofNoun.slice(at * mostInGroup, (at + 1) * mostInGroup),
      rounds,
    }));
  });
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  return groups.filter((_, at) => at % parts === part - 1);
}

async function testGroup({ keys, rounds }: { keys: string[]; rounds: Tests[] }): Promise<void> {
  let left = keys;
  let broken: string[] = [];
  for (const tests of rounds) {
    if (left.length === 0) break;
    const results = await runStryker(left, tests);
    const withStatus = (...statuses: string[]) =>
      results.filter(({ status }) => statuses.includes(status)).map((each) => keyOf(each, root));
    left = withStatus('Survived', 'NoCoverage');
    broken = [...broken, ...withStatus('RuntimeError')];
    total.late += withStatus('Timeout').length;
  }
  total.noticed += keys.length - left.length - broken.length;
  total.broken += broken.length;
  total.of += keys.length;
  unnoticed.push(...left);
  const nouns = [...new Set(keys.map((key) => nounOf(fileOf(key))))].join(', ');
  console.log(`\n${nouns}: ${keys.length - left.length} of ${keys.length}`);
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

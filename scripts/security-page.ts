import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './fail.ts';
import { testNames } from './spec/test-names.ts';

/** Checks docs/security.md: its files and tests exist, and no attack and no status is missing. */
const root = join(import.meta.dirname, '..');
const attackCount = 42;
const statuses = ['met', 'open', 'n/a'];

const reference = /`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|md|json))`(?: “([^”]+)”)?/g;

/** Returns references to missing files, or to tests with another name. */
function badReferences(page: string, names: ReadonlyMap<string, readonly string[]>): string[] {
  return [...page.matchAll(reference)].flatMap(([, file = '', words]) => {
    if (file.startsWith('/')) return []; // an address, not a file
    if (!existsSync(join(root, file))) return [`there is no ${file}`];
    const found = words === undefined || names.get(file)?.some((name) => name.includes(words));
    return found ? [] : [`no test in ${file} is named “… ${words} …”`];
  });
}

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

function missingAttacks(page: string): string[] {
  const section = page.split('\n## Attacks')[1]?.split('\n## ')[0] ?? '';
  const covered = new Set<number>();
  for (const line of section.split('\n')) {
    const [number = '', , shown = ''] = cellsOf(line);
    const [, first, last = first] = /^(\d+)(?:–(\d+))?$/.exec(number) ?? [];
    if (!/\.test\.tsx?`|comes with its issue/.test(shown)) continue;
    for (let one = Number(first); one <= Number(last); one += 1) covered.add(one);
  }
  const all = Array.from({ length: attackCount }, (_, index) => index + 1);
  return all.filter((one) => !covered.has(one)).map((one) => `attack ${one} has no test`);
}

const requirementsOf = (page: string) =>
  page
    .split('\n')
    .map(cellsOf)
    .filter(([number = '']) => /^\d+\.\d+\.\d+$/.test(number));

try {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const requirements = requirementsOf(page);
  const review = readFileSync(join(root, 'docs/security-review.md'), 'utf8');
  const problems = [
    ...badReferences(page, testNames()),
    ...badReferences(review, testNames()),
    ...missingAttacks(page),
    ...requirements.flatMap(([number, , status = '', why = '']) =>
      statuses.includes(status) && why !== '' ? [] : [`${number} needs a status and where or why`],
    ),
  ];
  for (const problem of problems)
    console.error(`docs/security.md, docs/security-review.md: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  const count = (wanted: string) => requirements.filter(([, , status]) => status === wanted).length;
  console.log(`ASVS: ${count('met')} met, ${count('open')} open, ${count('n/a')} not applicable.`);
} catch (error) {
  fail(error);
}

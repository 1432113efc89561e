import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './fail.ts';
import { coverage } from './spec/coverage.ts';
import { readStatements } from './spec/statements.ts';
import { testNames } from './spec/test-names.ts';

/** Writes docs/spec-coverage.md. With `--check`: fails if it is incomplete or outdated. */
const file = join(import.meta.dirname, '../docs/spec-coverage.md');
const check = process.argv.includes('--check');

function written(): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

try {
  const { page, problems } = coverage(readStatements(), testNames());
  for (const problem of problems) console.error(problem);
  if (!check) writeFileSync(file, page);
  else if (page !== written()) {
    problems.push('');
    console.error('docs/spec-coverage.md is not up to date: run `npm run spec-coverage`.');
  }
  if (problems.length > 0) process.exitCode = 1;
  else console.log('Every statement of the specification has its test or its reason.');
} catch (error) {
  fail(error);
}

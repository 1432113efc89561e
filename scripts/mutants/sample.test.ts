import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mostTests, nearTests, nounOf, testsOf } from './near-tests.ts';
import { keyOf, mutantsOf, sampleOf, sourcesOf } from './sample.ts';

const root = join(import.meta.dirname, '../..');
const keys = Array.from({ length: 50 }, (_, at) => `domain/a.ts:${at}:1-${at}:2 ""`);

test('the same seed chooses the same mutants, whatever their order, and another seed others', () => {
  const chosen = sampleOf(keys, 10, 1);
  expect(chosen).toHaveLength(10);
  expect(sampleOf(keys.toReversed(), 10, 1)).toEqual(chosen);
  expect(sampleOf(keys, 10, 2)).not.toEqual(chosen);
});

test('mutants of another file leave those that are chosen in their order', () => {
  const chosen = sampleOf(keys, 10, 1);
  const more = sampleOf([...keys, 'domain/b.ts:1:1-1:2 ""'], 11, 1);
  expect(more.filter((key) => key.startsWith('domain/a.ts')).slice(0, 10)).toEqual(chosen);
});

test('the mutants of a file differ in their names, which tell the place', async () => {
  const mutants = await mutantsOf(['domain/day.ts']);
  const names = mutants.map((mutant) => keyOf(mutant, root));
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^domain\/day\.ts:\d+:\d+-\d+:\d+ /);
});

test('sources are what the product runs, of a noun or a whole folder', () => {
  expect(sourcesOf('domain/scim')).toContain('domain/scim/filter.ts');
  expect(sourcesOf('domain/scim').filter((file) => file.includes('.test.'))).toEqual([]);
  expect(nounOf('domain/scim/filter.ts')).toBe('domain/scim');
  expect(nounOf('domain/csv.ts')).toBe('domain');
});

test.each([
  ['unit', 'domain/links/slug.ts', 'domain/links/slug.test.ts'],
  ['server', 'domain/scim/filter.ts', 'server/scim/lists.test.ts'],
  ['server', 'server/calls/end-call.ts', 'server/calls/end-call.test.ts'],
] as const)('the %s tests of %s have %s among the nearest', (project, file, test) => {
  const near = nearTests(project, file);
  expect(near.slice(0, mostTests[project])).toContain(test);
});

test('the tests of several files are the nearest of each', () => {
  const files = ['domain/links/slug.ts', 'domain/csv.ts'];
  const tests = testsOf('unit', files);
  for (const file of files) {
    expect(tests).toEqual(expect.arrayContaining(nearTests('unit', file).slice(0, 3)));
  }
  expect(tests.length).toBeLessThanOrEqual(2 * mostTests.unit);
});

import { expect, test, vi } from 'vitest';
import { type Outcome, outcomeOf, withSecondLook } from './run-vitest.ts';

const reported = (over: object) =>
  JSON.stringify({
    numPassedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [],
    ...over,
  });
const failed = (count: number): Outcome => ({
  passed: 10,
  skipped: 1,
  left: 0,
  failed: Array.from({ length: count }, (_, at) => ({ file: 'e2e/a.test.ts', name: `test ${at}` })),
});
const well: Outcome = { passed: 3, skipped: 0, left: 0, failed: [] };

test('a failed test, a file that does not load, and an error outside the tests are failures', () => {
  const file = (status: string, tests: string[]) => ({
    name: 'e2e/a.test.ts',
    status,
    assertionResults: tests.map((state) => ({ fullName: 'a test', status: state })),
  });
  const of = (result: object) =>
    outcomeOf(reported({ testResults: [result] }), false).failed.map(({ name }) => name);
  expect(of(file('failed', ['passed', 'failed']))).toEqual(['a test']);
  expect(of(file('failed', ['passed']))).toEqual(['did not load']);
  expect(of(file('passed', ['passed']))).toEqual([
    'an error outside the tests: read its output above',
  ]);
  expect(outcomeOf(reported({}), true)).toEqual({ passed: 1, skipped: 1, left: 0, failed: [] });
});

test('tests of the full run alone are not skipped, and are counted apart', () => {
  const file = {
    name: 'e2e/a.test.ts',
    status: 'passed',
    assertionResults: [
      { fullName: 'slow', status: 'skipped', tags: ['full'] },
      { fullName: 'without its tool', status: 'skipped', tags: [] },
      { fullName: 'quick', status: 'passed', tags: [] },
    ],
  };
  const result = { numPendingTests: 2, testResults: [file] };
  expect(outcomeOf(reported(result), true)).toMatchObject({ passed: 1, skipped: 1, left: 1 });
});

test('one or two failures that pass when their whole file runs again are named, and count as passed', async () => {
  const again = vi.fn(async () => well);
  expect(await withSecondLook(failed(2), again)).toEqual({
    outcome: { passed: 12, skipped: 1, left: 0, failed: [] },
    unsteady: failed(2).failed,
  });
  expect(again).toHaveBeenCalledExactlyOnceWith(['e2e/a.test.ts']);
});

test('a test that fails again stays failed', async () => {
  const twice = await withSecondLook(failed(1), async () => failed(1));
  expect(twice).toEqual({ outcome: failed(1), unsteady: [] });
});

test.each<[string, Outcome]>([
  ['three failures', failed(3)],
  ['an error outside the tests', { ...well, failed: [{ file: null, name: 'an error' }] }],
  ['a file that does not load', { ...well, failed: [{ file: 'a', name: 'did not load' }] }],
  ['nothing', well],
])('%s: no second run', async (_, outcome) => {
  const again = vi.fn(async () => well);
  expect(await withSecondLook(outcome, again)).toEqual({ outcome, unsteady: [] });
  expect(again).not.toHaveBeenCalled();
});

import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import ours from '../../vitest.config.ts';
import { mostTests, nearTests, type Tests } from './near-tests.ts';

/** The tests of this run. The environment is what reaches Stryker's processes. */
const file = process.env.MUTANTS_TESTS ?? '';
const wanted: Tests =
  file === '' ? { project: 'unit', files: [] } : JSON.parse(readFileSync(file, 'utf8'));

/** Where a test lies in the repository, which is a copy here. */
const pathOf = (name: string) => relative(process.cwd(), name).replaceAll('\\', '/');

/**
 * Tries a mutant with the nearest tests of its file, the nearest first: the first that fails ends
 * it. Stryker gives those that reach the mutant, and if it runs while a module loads, all. The first
 * run, without a mutant, has all.
 */
class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [mutated, ...others] = this.ctx.config.related ?? [];
    if (mutated === undefined || others.length > 0) return Promise.resolve(files);
    const near = nearTests(wanted.project, pathOf(mutated));
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = near.indexOf(pathOf(moduleId));
      return at === -1 ? near.length : at;
    };
    const sorted = files.toSorted((one, other) => rankOf(one) - rankOf(other));
    return Promise.resolve(sorted.slice(0, mostTests[wanted.project]));
  }
}

/** Says which tests failed, so that one that fails without a mutant can be left out. */
const failures: Reporter = {
  onTestRunEnd: (modules) => {
    const failed = modules.filter((each) => each.state() === 'failed');
    const names = failed.map(({ moduleId }) => pathOf(moduleId));
    if (process.env.MUTANTS_FAILED) {
      writeFileSync(process.env.MUTANTS_FAILED, JSON.stringify(names));
    }
  },
};

/** Stryker's runner has no option for one of several projects, nor for its tests. */
export default defineConfig({
  test: {
    ...ours.test,
    sequence: { sequencer: NearestFirst },
    reporters: [failures],
    projects: (ours.test?.projects ?? []).flatMap((project) =>
      typeof project === 'object' && 'test' in project && project.test?.name === wanted.project
        ? [{ ...project, test: { ...project.test, include: wanted.files } }]
        : [],
    ),
  },
});

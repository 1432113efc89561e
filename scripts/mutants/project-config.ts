import { defineConfig } from 'vitest/config';
import ours from '../../vitest.config.ts';

/** The project of vitest.config.ts that tests the mutants: Stryker's runner has no option for it. */
const wanted = process.env.MUTANTS_PROJECT ?? 'unit';

export default defineConfig({
  test: {
    ...ours.test,
    projects: (ours.test?.projects ?? []).filter(
      (project) =>
        typeof project === 'object' && 'test' in project && project.test?.name === wanted,
    ),
  },
});

import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { inFullRun } from './server/testing/full-run.ts';

/** A busy machine takes its time; what never comes still fails. */
const patience = { timeout: 20_000 };
/** Browsers on a machine with half of the usual speed, and three files at a time: waiting costs only what fails. */
const browserPatience = { timeout: 60_000 };
const browserTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };
/** Ends before the test does, so that its failure says what never came. */
const shorterPatience = { timeout: 15_000 };

/** Recognizes speech by Whisper. All of its tests run only in a full run. */
const recognizing = 'e2e/calls/transcribed.test.ts';
const calls = {
  expect: { poll: browserPatience },
  // Read by e2e/support/browser.ts. It takes less processor time than a complete Chromium.
  env: { PREFER_HEADLESS_SHELL: 'yes' },
  globalSetup: ['e2e/support/lan-cable.ts', 'e2e/support/prepared-data.ts'],
  setupFiles: ['e2e/support/share-browsers.ts'],
  // Files share the browsers of their worker, which are started once.
  isolate: false,
  ...browserTimeouts,
};

/**
 * The runners, by what they need: nothing, a PostgreSQL, a browser, several browsers. `scripts/test.ts`
 * runs them one after the other. What depends on the version of PostgreSQL runs on the machine's, too.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Read by scripts/run-vitest.ts.
    tags: [{ name: 'full', description: 'Only in `npm run test:full`.' }],
    projects: [
      {
        test: {
          name: 'unit',
          expect: { poll: shorterPatience },
          include: ['{domain,web,scripts,sdk}/**/*.test.{ts,tsx}'],
          setupFiles: ['web/testing/fresh-page.ts'],
          // Files share a process and its packages, and load our own modules again.
          isolate: false,
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'server',
          expect: { poll: shorterPatience },
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/cluster.ts'],
          setupFiles: ['server/testing/cheap-hashes.ts'],
          // Files share the modules of their worker, which are loaded once: tests keep no state in them.
          isolate: false,
          // Joining recordings yields the processor to everything else, and took 20 s in a run beside which others worked.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // With three, two cores were idle for a quarter of the time: tests wait for the database.
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'faults',
          expect: { poll: patience },
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'story',
          expect: { poll: browserPatience },
          include: ['e2e/story.test.ts'],
          setupFiles: ['e2e/support/share-browsers.ts'],
          ...browserTimeouts,
        },
      },
      {
        test: {
          name: 'pages',
          expect: { poll: browserPatience },
          include: ['e2e/pages/**/*.test.ts'],
          // As in `calls`.
          env: { PREFER_HEADLESS_SHELL: 'yes' },
          globalSetup: ['e2e/support/prepared-data.ts'],
          setupFiles: ['e2e/support/share-browsers.ts'],
          // Files share the browsers of their worker, which are started once.
          isolate: false,
          ...browserTimeouts,
          // One more than the cores of a small machine: a page waits for its server.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...calls,
          name: 'calls',
          include: ['e2e/calls/**/*.test.ts'],
          exclude: inFullRun([recognizing], []),
          // With two, two cores were idle for 38 percent of the time: calls wait for clocks. With four,
          // some of them failed on a busy machine.
          maxWorkers: 3,
        },
      },
      // Alone: it keeps both cores busy for minutes, and calls beside it lost their time.
      { test: { ...calls, name: 'recognizing', include: inFullRun([recognizing], []) } },
    ],
  },
});

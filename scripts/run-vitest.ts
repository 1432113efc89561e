import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { inFullRun } from '#server/testing/full-run.ts';
import { compiledModules } from './compile-cache.ts';

const root = join(import.meta.dirname, '..');

export interface Failure {
  /** From the repository's root; null for a failure outside every file. */
  file: string | null;
  /** The test's full name, or the problem with the file. */
  name: string;
}

export interface Outcome {
  passed: number;
  skipped: number;
  /** Tests that only `npm run test:full` runs. */
  left: number;
  failed: Failure[];
}

/** The tag of such tests (vitest.config.ts). */
const onlyInFull = 'full';

const report = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          tags: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

/**
 * Runs a Node program in the repository, with its output shown line by line, since several may run
 * at a time.
 * @returns whether it succeeded
 */
function runNode(args: string[], env: Record<string, string>): Promise<boolean> {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colors, ...env },
  });
  createInterface(child.stdout).on('line', (line) => console.log(line));
  createInterface(child.stderr).on('line', (line) => console.error(line));
  return new Promise((resolve) => {
    // Not `close`, which would wait for what a crashed test has left running.
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  });
}

/** Runs a Node program in the repository. @returns whether it succeeded, and its output */
export async function runCaptured(args: string[]): Promise<{ passed: boolean; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0));
  });
  return { passed, output };
}

export const bin = (name: string) => join(root, 'node_modules', ...name.split('/'));

export interface RunOptions {
  env?: Record<string, string>;
  /** Only these files of the project. */
  files?: string[];
}

/** Runs a project of vitest.config.ts. */
export async function runVitest(
  project: string,
  { env = {}, files = [] }: RunOptions = {},
): Promise<Outcome> {
  const tests = inFullRun([], [`--tags-filter=!${onlyInFull}`]);
  const folder = mkdtempSync(join(tmpdir(), 'rapport-results-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const succeeded = await runNode(
      [bin('vitest/vitest.mjs'), 'run', '--project', project, ...tests, ...reporters, ...files],
      // Each file of the project unit has a process, which loads React and the DOM.
      { NODE_COMPILE_CACHE: compiledModules, ...env },
    );
    return outcomeOf(readFileSync(file, 'utf8'), succeeded);
  } catch {
    return {
      passed: 0,
      skipped: 0,
      left: 0,
      failed: [{ file: null, name: 'the runner ended without a report' }],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Parses a report of Vitest. A failure outside a test never counts as success. */
export function outcomeOf(json: string, succeeded: boolean): Outcome {
  const found = report.parse(JSON.parse(json));
  const failed = found.testResults.flatMap((result): Failure[] => {
    const file = relative(root, result.name);
    const tests = result.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && result.status === 'failed') return [{ file, name: 'did not load' }];
    return tests.map(({ fullName }) => ({ file, name: fullName }));
  });
  if (!succeeded && failed.length === 0)
    failed.push({ file: null, name: 'an error outside the tests: read its output above' });
  const left = found.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && tags.includes(onlyInFull)).length;
  return {
    passed: found.numPassedTests,
    skipped: found.numPendingTests + found.numTodoTests - left,
    left,
    failed,
  };
}

/** How many failed browser tests are run a second time. */
const mostSecondLooks = 2;

/**
 * Runs one or two failed tests again. Browsers on a busy machine have races that no other run has,
 * so each failed test runs once more in its whole file, and stays failed if it fails again. Those
 * that pass are named, since each is a defect to be found: docs/decisions has the reasons.
 * @returns the tests that failed once, and the combined result of both runs
 */
export async function withSecondLook(
  outcome: Outcome,
  again: (files: string[]) => Promise<Outcome>,
): Promise<{ outcome: Outcome; unsteady: Failure[] }> {
  const files = [...new Set(outcome.failed.map(({ file }) => file))];
  const known = files.filter((file) => file !== null);
  const isFew = outcome.failed.length > 0 && outcome.failed.length <= mostSecondLooks;
  const hasLoaded = outcome.failed.every(({ name }) => name !== 'did not load');
  if (!isFew || !hasLoaded || known.length !== files.length) return { outcome, unsteady: [] };
  const second = await again(known);
  if (second.failed.length > 0) return { outcome, unsteady: [] };
  return {
    outcome: { ...outcome, passed: outcome.passed + outcome.failed.length, failed: [] },
    unsteady: outcome.failed,
  };
}

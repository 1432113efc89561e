import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { findBrowser } from '../e2e/support/browser.ts';
import { fail } from './fail.ts';
import { prepareTools } from './install-tools.ts';
import { openMemoryFolder } from './memory-folder.ts';
import {
  bin,
  type Failure,
  type Outcome,
  type RunOptions,
  runCaptured,
  runVitest,
  withSecondLook,
} from './run-vitest.ts';
import { hasSchemathesis, testTools, toolsOfFullRun } from './test-tools.ts';
import { startSystemPostgres } from './with-system-postgres.ts';

const steps =
  'lock review types lint structure unused spec security unit server build holes story schemathesis faults pages calls recognizing'.split(
    ' ',
  );

/**
 * Runs everything that must pass, in one command. Checks count as one test each; the last line adds
 * up all runners. `npm test -- unit server` runs only those steps, `npm test -- --no-install`
 * installs nothing, and `npm run test:full` runs everything on both versions of PostgreSQL.
 */
const given = process.argv.slice(2);
const unknown = given.filter((name) => !['--full', '--no-install', ...steps].includes(name));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(' ')}\nUse: npm test -- [--no-install] [step …]\nSteps: ${steps.join(' ')}`,
  );
  process.exit(1);
}
const isFull = given.includes('--full');
// Read by the tests (server/testing/full-run.ts), which inherit it.
if (isFull) process.env.FULL_TESTS = '1';
const mayInstall = !given.includes('--no-install');
const wanted = given.filter((name) => !name.startsWith('--'));
/** Tests of crashes write to the disk; the others, whose files are deleted, to memory if there is enough. */
const onDisk = { TMPDIR: tmpdir() };
const inMemory = openMemoryFolder();
if (inMemory) process.env.TMPDIR = inMemory.path;
const total = { passed: 0, failed: 0, skipped: 0, left: 0 };
/** Printed again at the end, where the reader of a long log looks first. */
const failures: string[] = [];

/** Tests that failed once, printed at the end, too. */
const unsteady: string[] = [];

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name.split(' ')[0] ?? '');

async function step(name: string, work: () => Promise<void>): Promise<void> {
  if (!isWanted(name)) return;
  const started = Date.now();
  console.log(`\n── ${name} …`);
  await work();
  console.log(`── ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Runs a check, whose output appears in one piece. */
async function check(name: string, args: string[]): Promise<void> {
  if (!isWanted(name)) return;
  const started = Date.now();
  const { passed, output } = await runCaptured(args);
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) failures.push(name);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n── ${name} ──\n${output}   ${name}: ${seconds} s`);
}

/** Most checks use one core; tests run beside them. */
const checks = (all: [name: string, args: string[]][]) =>
  pMap(all, ([name, args]) => check(name, args), { concurrency: availableParallelism() - 1 || 1 });

async function tests(name: string, project: string, options: RunOptions = {}) {
  await step(name, async () => add(name, await runVitest(project, options)));
}

/**
 * Server tests whose result may depend on the version of PostgreSQL: row-level security, locks,
 * races, notifications, and partitions. Query plans, which take most of a minute, are checked there
 * by `npm run test:full`.
 */
const dependOnPostgres = [
  'server/platform/{access,attacks-on-tenants,held-requests,live-bus}.test.ts',
  'server/platform/{organization-rounds,overtaking,pooled-connections,second-wall}.test.ts',
  'server/auth/{failed-attempts,change-credentials}.test.ts',
  'server/audit/{audit,read-log}.test.ts',
  'server/calls/{end-call,lobby}.test.ts',
  'server/mail/mail-queue.test.ts',
  'server/operator/*.test.ts',
  'server/privacy/{delete-self,export-secrets,inside-organization,retention}.test.ts',
  'server/scim/{lists,searches,ownership}.test.ts',
  'server/team/{change-organization,end-sessions,last-admin}.test.ts',
];

async function browserTests(name: string, project = name, env: Record<string, string> = {}) {
  await step(name, async () => {
    if (!findBrowser()) {
      total.skipped += 1;
      return;
    }
    const first = await runVitest(project, { env });
    const looked = await withSecondLook(first, (files) => runVitest(project, { env, files }));
    unsteady.push(...looked.unsteady.map((failure) => `${name}: ${nameOf(failure)}`));
    add(name, looked.outcome);
  });
}

function add(name: string, { passed, skipped, left, failed }: Outcome): void {
  total.passed += passed;
  total.skipped += skipped;
  total.left += left;
  total.failed += failed.length;
  failures.push(...failed.map((failure) => `${name}: ${nameOf(failure)}`));
}

const nameOf = ({ file, name }: Failure) => (file === null ? name : `${file} > ${name}`);

/** @returns whether the story ran there */
async function onSystemPostgres(): Promise<boolean> {
  if (wanted.length > 0 && !wanted.includes('server')) return false;
  const system = await startSystemPostgres();
  if (!system) {
    console.log('\nNo other PostgreSQL: the server tests ran on the embedded one alone.');
    total.skipped += 1;
    return false;
  }
  try {
    const env = { TEST_DATABASE_URL: system.url };
    const files = isFull
      ? []
      : globSync(dependOnPostgres, { cwd: join(import.meta.dirname, '..') });
    await tests(`server on PostgreSQL ${system.version}`, 'server', { env, files });
    await browserTests('story on PostgreSQL', 'story', env);
    return true;
  } finally {
    await system.stop();
  }
}

async function madeUpRequests(): Promise<void> {
  if (wanted.length > 0 && !wanted.includes('schemathesis')) return;
  const effort = isFull ? '5' : '--short';
  if (hasSchemathesis()) await check('schemathesis', ['scripts/schemathesis.ts', effort]);
  else total.skipped += 1;
}

async function toolsReady(): Promise<void> {
  const tools = isFull ? [...testTools, ...toolsOfFullRun] : testTools;
  await prepareTools(tools, mayInstall, (line) => console.log(line));
  if (mayInstall && !findBrowser()) {
    throw new Error(
      'Set CHROMIUM to the path of a Chromium, or leave the tests that take it out: npm test -- --no-install',
    );
  }
}

async function withoutTools(): Promise<void> {
  await Promise.all([
    // Alone, they leave a core idle while types are checked, and so do the unit tests at their end.
    checks([
      ['lock', ['scripts/complete-lock.mjs', '--check']],
      ['review', ['scripts/review-lock.ts']],
      ['types', [bin('typescript/bin/tsc'), '-b']],
      ['lint', [bin('@biomejs/biome/bin/biome'), 'ci', '.']],
      ['structure', ['scripts/check-structure.ts']],
      ['unused', [bin('knip/bin/knip.js'), '--no-progress']],
      ['spec', ['scripts/spec-coverage.ts', '--check']],
      ['security', ['scripts/security-page.ts']],
    ]),
    tests('unit', 'unit'),
  ]);
  await check('build', ['scripts/build.ts']);
  await check('holes', ['scripts/known-holes.ts']);
}

/** @returns whether the story ran on the machine's PostgreSQL */
async function besideServer(): Promise<boolean> {
  const hasToldStory = await onSystemPostgres();
  await madeUpRequests();
  await tests('faults', 'faults', { env: onDisk });
  return hasToldStory;
}

try {
  // The first steps need none of the tools, whose installation waits for the network.
  const ready = toolsReady();
  ready.catch(() => undefined); // thrown below, when these steps have ended
  await withoutTools();
  await ready;
  // Together they keep two cores busy, which none of them does alone. In a full run, both would run all tests of the server.
  const serverTests = tests('server', 'server');
  if (isFull) await serverTests;
  const [hasToldStory] = await Promise.all([besideServer(), serverTests]);
  if (isFull || !hasToldStory) await browserTests('story');
  await browserTests('calls');
  if (isFull) await browserTests('recognizing');
  await browserTests('pages');
} catch (error) {
  fail(error);
} finally {
  inMemory?.remove();
}
if (total.failed > 0) process.exitCode = 1;
say('Unsteady, failed once and passed the second time; find out why', unsteady);
say('Failed', failures);
if (total.left > 0) console.log(`\n${total.left} tests run only in \`npm run test:full\`.`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);

function say(what: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${what}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

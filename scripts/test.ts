import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { buildLiveKit } from './build-livekit.ts';
import { fail } from './fail.ts';
import { installSchemathesis } from './install-schemathesis.ts';
import { installTools } from './install-tools.ts';
import { startSystemPostgres } from './with-system-postgres.ts';

/**
 * Everything that must hold, in one command. Checks count as one test each; the last line adds up
 * all runners. `npm test -- unit server` runs those steps alone.
 */
const root = join(import.meta.dirname, '..');
const results = mkdtempSync(join(tmpdir(), 'rapport-results-'));
const wanted = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
/** Said again at the end, where whoever reads a long log looks first. */
const failures: string[] = [];

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

function run(args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  });
}

const bin = (name: string) => join(root, 'node_modules', ...name.split('/'));

async function step(name: string, work: () => Promise<void>): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name.split(' ')[0] ?? '')) return;
  const started = Date.now();
  console.log(`\n── ${name} ──`);
  await work();
  console.log(`   ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function check(name: string, args: string[]): Promise<void> {
  await step(name, async () => {
    const passed = await run(args);
    total[passed ? 'passed' : 'failed'] += 1;
    if (!passed) failures.push(name);
  });
}

async function tests(name: string, project: string, env: Record<string, string> = {}) {
  await step(name, async () => {
    const file = join(results, `${name.replaceAll(' ', '-')}.json`);
    const vitest = bin('vitest/vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const succeeded = await run([vitest, 'run', '--project', project, ...reporters], env);
    try {
      const found = report.parse(JSON.parse(readFileSync(file, 'utf8')));
      total.passed += found.numPassedTests;
      total.failed += found.numFailedTests;
      total.skipped += found.numPendingTests + found.numTodoTests;
      const failed = failedTests(found);
      // A file that does not load, or an error outside a test, fails the run without a failed test.
      if (!succeeded && found.numFailedTests === 0) {
        total.failed += 1;
        if (failed.length === 0) failed.push('an error outside the tests: read its output above');
      }
      failures.push(...failed.map((failure) => `${name}: ${failure}`));
    } catch {
      failures.push(`${name}: the runner ended without a report`);
      total.failed += 1;
    }
  });
}

function failedTests({ testResults }: z.infer<typeof report>): string[] {
  return testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [`${path} did not load`];
    return failed.map(({ fullName }) => `${path} > ${fullName}`);
  });
}

async function onSystemPostgres(): Promise<void> {
  if (wanted.length > 0 && !wanted.includes('server')) return;
  const system = await startSystemPostgres();
  if (!system) {
    console.log('\nNo other PostgreSQL on this machine: the server tests ran on our own alone.');
    total.skipped += 1;
    return;
  }
  try {
    const env = { TEST_DATABASE_URL: system.url };
    await tests(`server on PostgreSQL ${system.version}`, 'server', env);
    await tests('story on PostgreSQL', 'story', env);
  } finally {
    await system.stop();
  }
}

async function madeUpRequests(): Promise<void> {
  if (wanted.length > 0 && !wanted.includes('schemathesis')) return;
  if (installSchemathesis()) return check('schemathesis', ['scripts/schemathesis.ts', '--short']);
  console.log('\nNo Schemathesis (it needs python3 with venv and pip): no requests were made up.');
  total.skipped += 1;
}

try {
  installTools((line) => console.log(line));
  total.skipped += buildLiveKit((line) => console.log(line)) ? 0 : 1;
  await check('lock', ['scripts/complete-lock.mjs', '--check']);
  await check('types', [bin('typescript/bin/tsc'), '-b']);
  await check('lint', [bin('@biomejs/biome/bin/biome'), 'ci', '.']);
  await check('structure', ['scripts/check-structure.ts']);
  await check('spec', ['scripts/spec-coverage.ts', '--check']);
  await check('security', ['scripts/security-page.ts']);
  await tests('unit', 'unit');
  await tests('server', 'server');
  await check('build', ['scripts/build.ts']);
  await onSystemPostgres();
  await madeUpRequests();
  await tests('faults', 'faults');
  await tests('story', 'story');
  await tests('pages', 'pages');
  await tests('calls', 'calls');
} catch (error) {
  fail(error);
} finally {
  rmSync(results, { recursive: true, force: true });
}
if (total.failed > 0) process.exitCode = 1;
if (failures.length > 0)
  console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);

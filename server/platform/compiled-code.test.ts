import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'rapport-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const saved = (cache: string) => readdirSync(cache, { recursive: true }).length;

// Otherwise each further thread or program loads Node's compiler of types, 16 MB of WebAssembly.
test.each([
  'calls/notes-worker.ts',
  'providers/ai/offline/worker.ts',
  'sso/saml-worker.ts',
  'platform/outside-worker.ts',
])('the thread %s saves its compiled code before its first task', async (program) => {
  const cache = join(folder, program);
  const thread = new Worker(new URL(`../${program}`, import.meta.url), {
    env: { NODE_COMPILE_CACHE: cache },
  });
  await once(thread, 'message');
  await thread.terminate();
  expect(saved(cache)).toBeGreaterThan(2);
});

test('the program that draws images saves its compiled code before it reads the image', async () => {
  const cache = join(folder, 'draw-picture');
  const program = join(import.meta.dirname, '../pictures/draw-picture.ts');
  const child = spawn(process.execPath, [program, 'logo'], {
    env: { NODE_COMPILE_CACHE: cache },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // An image that is killed for taking too long never comes to the program's end.
  await expect.poll(() => saved(cache)).toBeGreaterThan(2);
  child.kill('SIGKILL');
});

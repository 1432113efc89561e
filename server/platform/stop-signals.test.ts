import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const module = JSON.stringify(new URL('./stop-signals.ts', import.meta.url).href);

/** Source of a program that prints each step, and whose stop takes the given time. */
function program(stopMilliseconds: number, limitSeconds = 30): string {
  return `
    import { onStop } from ${module};
    onStop(async (reason) => {
      console.log('stopping: ' + reason);
      await new Promise((done) => setTimeout(done, ${stopMilliseconds}));
      console.log('stopped');
    }, { limitSeconds: ${limitSeconds} });
    setInterval(() => {}, 1000);
    console.log('ready ' + process.pid);`;
}

function output(child: ChildProcess): { text: string } {
  const seen = { text: '' };
  child.stdout?.on('data', (chunk) => {
    seen.text += chunk;
  });
  return seen;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

async function run(code: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const seen = output(child);
  await until(() => seen.text.includes('ready'));
  return { child, ended: once(child, 'exit'), seen };
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops once and exits with 0',
  async (signal) => {
    const { child, ended, seen } = await run(program(50));
    child.kill(signal);
    child.kill(signal); // npm and the terminal both send the signal
    expect(await ended).toEqual([0, null]);
    expect(seen.text.match(/stopping: (\w+)/g)).toEqual([`stopping: ${signal}`]);
    expect(seen.text).toContain('stopped');
  },
);

test('a second signal exits immediately', async () => {
  const { child, ended, seen } = await run(program(60_000));
  child.kill('SIGTERM');
  await sleep(600);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(seen.text).not.toContain('stopped');
});

test('a stop that does not finish is aborted after its limit', async () => {
  const { child, ended } = await run(program(60_000, 0.2));
  child.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
});

test.each([
  ['an error event', "setTimeout(() => new EventEmitter().emit('error', new Error('stray')))"],
  ['a rejection', "setTimeout(() => Promise.reject(new Error('stray')))"],
])(
  'B1: after %s that no code handles, the program stops in order and exits with 1',
  async (_what, fault) => {
    const code = `import { EventEmitter } from 'node:events';${program(50)}\n${fault}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
    const seen = output(child);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said).toMatch(/Error: stray\n +at /);
    expect(seen.text).toContain('stopped');
  },
);

test('under npm, the program stops when its parent was killed', async () => {
  const shell = spawn(
    'sh',
    ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, program(50)],
    {
      env: { ...process.env, npm_lifecycle_event: 'start' },
    },
  );
  const seen = output(shell);
  await until(() => seen.text.includes('ready'));
  shell.kill('SIGKILL');
  await until(() => seen.text.includes('stopped'));
  expect(seen.text).toContain('stopping: the npm that started it is gone');
});

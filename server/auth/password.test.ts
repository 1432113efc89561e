import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('outside of tests, passwords are hashed by Argon2id with 19 MiB and two passes', async () => {
  const script = `import('./server/auth/password.ts')
    .then(({ hashPassword }) => hashPassword('correct horse', 'anyone')).then(console.log)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches(stdout.trim(), 'correct horse', 'anyone')).toBe(true);
});

test('a hash matches its own password, and no password matches where none is stored', async () => {
  const stored = await hashPassword('correct horse', 'anyone');
  expect(await passwordMatches(stored, 'correct horse', 'anyone')).toBe(true);
  expect(await passwordMatches(stored, 'correct horsf', 'anyone')).toBe(false);
  expect(await passwordMatches(null, 'nobody has this password', 'anyone')).toBe(false);
});

test('R21-57: passwords of one account are compared one after the other, and do not delay others', async () => {
  const done: string[] = [];
  const compare = async (by: string) => {
    await hashPassword('correct horse', by);
    done.push(by);
  };
  await Promise.all([...Array.from({ length: 200 }, () => compare('flood')), compare('other')]);
  // Each takes less time than a busy machine may take to start a thread.
  expect(done.indexOf('other')).toBeLessThan(100);
});

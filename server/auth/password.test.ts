import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('outside of tests, passwords are hashed by Argon2id with 19 MiB and two passes', async () => {
  const script = `import('./server/auth/password.ts')
    .then(({ hashPassword }) => hashPassword('correct horse', '::1')).then(console.log)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches(stdout.trim(), 'correct horse', '::1')).toBe(true);
});

test('a hash matches its own password, and no password matches where none is stored', async () => {
  const stored = await hashPassword('correct horse', '::1');
  expect(await passwordMatches(stored, 'correct horse', '::1')).toBe(true);
  expect(await passwordMatches(stored, 'correct horsf', '::1')).toBe(false);
  expect(await passwordMatches(null, 'nobody has this password', '::1')).toBe(false);
});

test('R21-1: the passwords of one network take turns with those of others', async () => {
  const done: string[] = [];
  const hashed = async (ip: string) => {
    await hashPassword('correct horse', ip);
    done.push(ip);
  };
  const ofOne = Array.from({ length: 30 }, () => hashed('192.0.2.1'));
  await hashed('198.51.100.1');
  expect(done.filter((ip) => ip === '192.0.2.1').length).toBeLessThan(5);
  await Promise.all(ofOne);
});

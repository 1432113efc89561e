import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

test('passwords are hashed by Argon2id with 19 MiB and two passes', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toMatch(/^\$argon2id\$/);
  const owasp = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  expect(hash).toHaveBeenLastCalledWith('correct horse', owasp);
});

test('a hash matches its own password, and no password matches where none is stored', async () => {
  const stored = await hashPassword('correct horse');
  expect(await passwordMatches(stored, 'correct horse')).toBe(true);
  expect(await passwordMatches(stored, 'correct horsf')).toBe(false);
  expect(await passwordMatches(null, 'nobody has this password')).toBe(false);
});

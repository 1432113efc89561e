import type * as argon2 from '@node-rs/argon2';
import { vi } from 'vitest';
import { verifiedHashes } from './verified-hashes.ts';

// Hashing passwords would take a fifth of the tests' processor time. `password.test.ts` checks the real cost.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof argon2>();
  const hash: typeof real.hash = (password, options) =>
    real.hash(password, { ...options, memoryCost: 64, timeCost: 1 });
  const verify: typeof real.verify = (hashed, password) => {
    verifiedHashes.push(String(hashed));
    return real.verify(hashed, password);
  };
  return { ...real, hash, verify };
});

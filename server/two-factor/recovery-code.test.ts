import { expect, test } from 'vitest';
import { newRecoveryCode } from './recovery-code.ts';

test('a recovery code has at least 112 bits of entropy, in groups that are easy to type', () => {
  const code = newRecoveryCode();
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4})+$/);
  const letters = code.replaceAll('-', '').length;
  expect(letters * Math.log2(32)).toBeGreaterThanOrEqual(112);
  expect(newRecoveryCode()).not.toBe(code);
});

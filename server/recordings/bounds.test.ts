import { expect, test } from 'vitest';
import { UploadRates } from './bounds.ts';

test('R15-7: a part of one byte counts as a quarter of a megabyte', () => {
  const rates = new UploadRates(1);
  let parts = 0;
  while (parts < 2_000 && rates.spend('participant', 'organization', 1) === 0) parts += 1;
  expect(parts).toBeGreaterThanOrEqual(1024);
  expect(parts).toBeLessThan(1100);
  expect(rates.spend('another', 'organization', 1)).toBe(0);
});

test('R21-52: an organization begins and completes twenty segments a second, beyond what a large meeting does at once', () => {
  const rates = new UploadRates(1);
  let segments = 0;
  while (segments < 5_000 && rates.spendSegment('organization') === 0) segments += 1;
  expect(segments).toBeGreaterThanOrEqual(1_000);
  expect(segments).toBeLessThan(1_100);
  expect(rates.spendSegment('another')).toBe(0);
});

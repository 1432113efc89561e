import { expect, test } from 'vitest';
import { hueOf } from '#web/ui/tint.ts';

test('a name has one hue, whatever its case and the spaces around it, and names differ', () => {
  expect(hueOf(' Ada Lovelace')).toBe(hueOf('ada lovelace'));
  const names = ['Ada', 'Ben', 'Chidi', 'Dora', 'Eve', 'Farid', 'Grace', 'Hana', 'Ian', 'Jo'];
  expect(new Set(names.map(hueOf)).size).toBeGreaterThan(4);
});

test('an empty name has a hue, too', () => {
  expect(hueOf('')).toBeGreaterThan(0);
});

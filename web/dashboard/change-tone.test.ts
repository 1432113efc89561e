import { expect, test } from 'vitest';
import { changeText, changeTone } from '#web/dashboard/change-tone.ts';

test('a rise is shown as good, a fall as bad, and a missing comparison not at all', () => {
  expect(changeText('+12%')).toBe('+12% vs last month');
  expect(changeText('-0.2')).toBe('-0.2 vs last month');
  expect(changeText(null)).toBe(null);
  expect(changeText('+0%')).toBe('0% vs last month');
  expect(changeTone('+12% vs last month')).toBe('good');
  expect(changeTone('0% vs last month')).toBe('neutral');
  expect(changeTone('-0.2 vs last month')).toBe('bad');
  expect(changeTone('12% from last month')).toBe('good');
  expect(changeTone('')).toBe('neutral');
});

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { chooseTheme, keepDark } from './page-theme.ts';

const shown = () => document.documentElement.dataset.theme;

test('a theme that is chosen while the page is dark shows afterwards', () => {
  chooseTheme('light');
  expect(shown()).toBe('light');
  const leave = keepDark();
  expect(shown()).toBe('dark');
  chooseTheme(null);
  expect(shown()).toBe('dark');
  leave();
  expect(shown()).toBeUndefined();
});

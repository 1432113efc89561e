// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { chooseTheme, keepDark } from './page-theme.ts';

const shown = () => document.documentElement.dataset.theme;

test('a theme that is chosen during the meeting shows once its dark page is left', () => {
  chooseTheme('light');
  expect(shown()).toBe('light');
  const leave = keepDark();
  expect(shown()).toBe('dark');
  chooseTheme(null);
  expect(shown()).toBe('dark');
  leave();
  expect(shown()).toBeUndefined();
});

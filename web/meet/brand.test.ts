// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { applyBrand } from './brand.ts';

test('a page gets the color and those that go with it', () => {
  const root = document.createElement('div');
  applyBrand(root, '#facc15');
  expect(root.style.getPropertyValue('--brand')).toBe('#facc15');
  expect(root.style.getPropertyValue('--brand-text')).toBe('#000000');
  expect(root.style.getPropertyValue('--brand-ink')).toMatch(/^light-dark\(#\w{6}, #facc15\)$/);
});

test('only a color gets into the page', () => {
  const root = document.createElement('div');
  applyBrand(root, 'red; background: url(//evil)');
  expect(root.style.getPropertyValue('--brand')).toBe('');
  applyBrand(root, '#0f766e');
  expect(root.style.getPropertyValue('--brand')).toBe('#0f766e');
});

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { applyBrand } from './brand.ts';

test('applyBrand sets the color and those derived from it', () => {
  const root = document.createElement('div');
  applyBrand(root, '#facc15');
  expect(root.style.getPropertyValue('--brand')).toBe('#facc15');
  expect(root.style.getPropertyValue('--brand-text')).toBe('#000000');
  expect(root.style.getPropertyValue('--brand-ink')).toMatch(/^light-dark\(#\w{6}, #facc15\)$/);
});

test('applyBrand ignores a value that is not a color', () => {
  const root = document.createElement('div');
  applyBrand(root, 'red; background: url(//evil)');
  expect(root.style.getPropertyValue('--brand')).toBe('');
  applyBrand(root, '#0f766e');
  expect(root.style.getPropertyValue('--brand')).toBe('#0f766e');
});

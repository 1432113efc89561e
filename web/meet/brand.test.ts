// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { applyBrand, textColorOn } from './brand.ts';

test('the text on a brand colour is whichever of black and white reads better', () => {
  expect(textColorOn('#2563eb')).toBe('#ffffff');
  expect(textColorOn('#0f172a')).toBe('#ffffff');
  expect(textColorOn('#facc15')).toBe('#000000');
  expect(textColorOn('#7dd3fc')).toBe('#000000');
});

test('only a colour gets into the page', () => {
  const root = document.createElement('div');
  applyBrand(root, 'red; background: url(//evil)');
  expect(root.style.getPropertyValue('--brand')).toBe('');
  applyBrand(root, '#0f766e');
  expect(root.style.getPropertyValue('--brand')).toBe('#0f766e');
});

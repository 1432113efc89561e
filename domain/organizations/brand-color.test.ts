import { describe, expect, test } from 'vitest';
import { brandColors, contrast, markContrast, surfaces, textContrast } from './brand-color.ts';

const steps = [0, 51, 102, 119, 128, 153, 204, 255];
const hex = (value: number) => value.toString(16).padStart(2, '0');
const cube = steps.flatMap((r) =>
  steps.flatMap((g) => steps.map((b) => `#${hex(r)}${hex(g)}${hex(b)}`)),
);
const awkward = ['#ffffff', '#ffff00', '#000000', '#777777', '#808080', '#767676', '#00FF00'];
const colors = [...awkward, '#2563eb', '#facc15', '#0f766e', ...cube];
const of = (color: string) => {
  const found = brandColors(color);
  if (!found) throw new Error(`${color} is a color`);
  return found;
};
const themes = ['light', 'dark'] as const;

describe(`of ${colors.length} colors, white, yellow, black and middle greys among them,`, () => {
  test('each has a text that reads on it, and under a pointer too', () => {
    for (const color of colors) {
      const { text, hover } = of(color);
      expect(contrast(text, color), color).toBeGreaterThanOrEqual(textContrast);
      expect(contrast(text, hover), `${color} under a pointer`).toBeGreaterThanOrEqual(
        textContrast,
      );
      expect(hover, color).not.toBe(color);
    }
  });

  test('each reads as a link and as a ring on every surface of both themes', () => {
    for (const color of colors)
      for (const theme of themes)
        for (const surface of surfaces[theme])
          expect(
            contrast(of(color).ink[theme], surface),
            `${color} on ${surface}`,
          ).toBeGreaterThanOrEqual(textContrast);
  });

  test('each stands out from the page by itself or by its edge', () => {
    for (const color of colors)
      for (const theme of themes)
        for (const surface of surfaces[theme])
          expect(
            contrast(of(color).edge[theme], surface),
            `${color} on ${surface}`,
          ).toBeGreaterThanOrEqual(markContrast);
  });

  test('white reads on each one’s deep form', () => {
    for (const color of colors)
      expect(contrast('#ffffff', of(color).deep), color).toBeGreaterThanOrEqual(textContrast);
  });
});

test('a color that reads as it is stays as it is', () => {
  const { text, ink, edge, deep } = of('#2563eb');
  expect({ text, ink: ink.light, edge: edge.light, deep }).toEqual({
    text: '#ffffff',
    ink: '#2563eb',
    edge: '#2563eb',
    deep: '#2563eb',
  });
});

test('what is no color has no colors', () => {
  for (const text of ['red', '#fff', '2563eb', '#2563eb;', 'url(//evil)', '']) {
    expect(brandColors(text)).toBe(null);
  }
});

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

describe(`of ${colors.length} colors, including white, yellow, black and middle greys,`, () => {
  test('each has a readable text color, also while hovered', () => {
    for (const color of colors) {
      const { text, hover } = of(color);
      expect(contrast(text, color), color).toBeGreaterThanOrEqual(textContrast);
      expect(contrast(text, hover), `${color} under a pointer`).toBeGreaterThanOrEqual(
        textContrast,
      );
      expect(hover, color).not.toBe(color);
    }
  });

  test('each is readable as a link and visible as a ring on every surface of both themes', () => {
    for (const color of colors)
      for (const theme of themes)
        for (const surface of surfaces[theme])
          expect(
            contrast(of(color).ink[theme], surface),
            `${color} on ${surface}`,
          ).toBeGreaterThanOrEqual(textContrast);
  });

  test('each is distinguishable from the page by its fill or its edge', () => {
    for (const color of colors)
      for (const theme of themes)
        for (const surface of surfaces[theme])
          expect(
            contrast(of(color).edge[theme], surface),
            `${color} on ${surface}`,
          ).toBeGreaterThanOrEqual(markContrast);
  });

  test('the deep variant of each is readable under white text', () => {
    for (const color of colors)
      expect(contrast('#ffffff', of(color).deep), color).toBeGreaterThanOrEqual(textContrast);
  });
});

test('a color with enough contrast is not changed', () => {
  const { text, ink, edge, deep } = of('#2563eb');
  expect({ text, ink: ink.light, edge: edge.light, deep }).toEqual({
    text: '#ffffff',
    ink: '#2563eb',
    edge: '#2563eb',
    deep: '#2563eb',
  });
});

test('text that is not a color returns null', () => {
  for (const text of ['red', '#fff', '2563eb', '#2563eb;', 'url(//evil)', '']) {
    expect(brandColors(text)).toBe(null);
  }
});

/**
 * Derives readable colors from any brand color. Contrast and luminance follow WCAG 2.2; colors are
 * `#rrggbb`.
 */
type Rgb = readonly [number, number, number];
type Theme = 'light' | 'dark';

/** Minimum contrast of text (WCAG 2.2, 1.4.3), and of edges and marks (1.4.11). */
export const textContrast = 4.5;
export const markContrast = 3;

/** The backgrounds of links, rings and buttons in web/ui/theme.css. A test compares them. */
export const surfaces = {
  light: ['#ffffff', '#f7f8fa', '#eef0f4'],
  dark: ['#0e1116', '#171b22', '#1d222b', '#222833'],
} as const satisfies Record<Theme, readonly string[]>;
const away = { light: '#000000', dark: '#ffffff' } as const;

export interface BrandColors {
  brand: string;
  /** Text on the brand color: black or white. */
  text: '#000000' | '#ffffff';
  /** The color while hovered; `text` is readable on it, too. */
  hover: string;
  /** The color as text, for links and rings: unchanged where it is readable, else darker or lighter. */
  ink: Record<Theme, string>;
  /** The border of filled areas: the color itself where it is distinguishable. */
  edge: Record<Theme, string>;
  /** The background of white text in both themes. */
  deep: string;
}

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the colors derived from `brand`; null for anything but #rrggbb. */
export function brandColors(brand: string): BrandColors | null {
  if (!isColor(brand)) return null;
  return {
    brand,
    text: textColorOn(brand),
    hover: hoverOf(brand),
    ink: { light: readableOn('light', brand), dark: readableOn('dark', brand) },
    edge: {
      light: readableOn('light', brand, markContrast),
      dark: readableOn('dark', brand, markContrast),
    },
    deep: readableOn('light', brand),
  };
}

/** Returns black or white, whichever has more contrast. The better one has at least 4.58 to 1. */
export function textColorOn(background: string): '#000000' | '#ffffff' {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
}

/** Returns the color nearest to `color` that has at least `least` to 1 on every surface of the theme. */
function readableOn(theme: Theme, color: string, least = textContrast): string {
  for (let share = 0; share < 100; share += 1) {
    const tried = share === 0 ? color : mix(color, away[theme], share / 100);
    if (surfaces[theme].every((surface) => contrast(tried, surface) >= least)) return tried;
  }
  return away[theme];
}

/**
 * Shifts the color away from its text, which only increases the contrast; near black and white,
 * toward it.
 */
function hoverOf(brand: string): string {
  const text = textColorOn(brand);
  const other = text === '#ffffff' ? '#000000' : '#ffffff';
  const further = mix(brand, other, 0.14);
  const nearer = mix(brand, text, 0.16);
  const isSeen = contrast(further, brand) >= 1.1;
  return isSeen || contrast(text, nearer) < textContrast ? further : nearer;
}

/** The contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, at) => Math.round(value + ((b[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(hex: string): number {
  const linear = (value: number) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = channels(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function channels(hex: string): Rgb {
  const at = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
}

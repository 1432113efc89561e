/** WCAG 2.2, relative luminance of '#rrggbb'. */
function luminance(color: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/** Black or white, whichever reads better on the colour. */
export function readableOn(color: string): '#ffffff' | '#000000' {
  const light = luminance(color);
  const onWhite = 1.05 / (light + 0.05);
  const onBlack = (light + 0.05) / 0.05;
  // White is what people expect on a brand's colour: black only where white would be hard to read.
  return onWhite >= 3.5 || onWhite >= onBlack ? '#ffffff' : '#000000';
}

/** Gives the page the organisation's colour. Anything but '#rrggbb' leaves the default. */
export function applyBrand(color: string, style: CSSStyleDeclaration): void {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return;
  style.setProperty('--brand', color);
  style.setProperty('--brand-text', readableOn(color));
}

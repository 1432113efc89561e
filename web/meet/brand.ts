/** Black or white, whichever reads better on the colour (WCAG 2.2 relative luminance). */
export function textColorOn(hex: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(hex);
  const onWhite = 1.05 / (luminance + 0.05);
  const onBlack = (luminance + 0.05) / 0.05;
  return onWhite >= onBlack ? '#ffffff' : '#000000';
}

/** Puts the organisation's colour on the page. Anything but #rrggbb leaves the page as it is. */
export function applyBrand(root: HTMLElement, brandColor: string): void {
  if (!/^#[0-9a-f]{6}$/i.test(brandColor)) return;
  root.style.setProperty('--brand', brandColor);
  root.style.setProperty('--brand-text', textColorOn(brandColor));
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

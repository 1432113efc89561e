import { brandColors } from '#domain/organizations/brand-color.ts';

/** Sets the organization's colors on the page. Ignores anything but #rrggbb. */
export function applyBrand(root: HTMLElement, brandColor: string): void {
  const colors = brandColors(brandColor);
  if (colors === null) return;
  const { brand, text, hover, ink, edge, deep } = colors;
  const properties = {
    '--brand': brand,
    '--brand-text': text,
    '--brand-hover': hover,
    '--brand-ink': `light-dark(${ink.light}, ${ink.dark})`,
    '--brand-edge': `light-dark(${edge.light}, ${edge.dark})`,
    '--brand-deep': deep,
  };
  for (const [name, value] of Object.entries(properties)) root.style.setProperty(name, value);
}

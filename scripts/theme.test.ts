import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brandColors, surfaces } from '#domain/organizations/brand-color.ts';

const css = readFileSync(join(import.meta.dirname, '../web/ui/theme.css'), 'utf8');

test('the surfaces of the rule are those of the theme, and the default brand’s colors follow the rule', () => {
  const pair = (name: string) =>
    css.match(new RegExp(`--${name}: light-dark\\((.+), (.+)\\);`))?.slice(1, 3);
  for (const [at, name] of ['card', 'background', 'muted'].entries())
    expect(pair(name)?.[0], name).toBe(surfaces.light[at]);
  for (const [at, name] of ['background', 'card', 'raised', 'muted'].entries())
    expect(pair(name)?.[1], name).toBe(surfaces.dark[at]);
  const colors = brandColors('#2563eb');
  expect(pair('brand-ink')).toEqual([colors?.ink.light, colors?.ink.dark]);
  expect(pair('brand-edge')).toEqual([colors?.edge.light, colors?.edge.dark]);
  expect(css).toContain(`--brand-hover: ${colors?.hover};`);
  expect(css).toContain(`--brand-deep: ${colors?.deep};`);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { RenderPublicPage } from '#domain/public/pages.ts';

const chunk = z.object({ file: z.string() });
const manifest = z.object({
  'public/scripts/page.ts': chunk,
  'public/scripts/contact.ts': chunk,
});
const builtModule = z.object({
  render: z.custom<RenderPublicPage>((value) => typeof value === 'function'),
});

/**
 * Loads the result of scripts/build.ts for web/public: the rendering module, and the URLs of its
 * scripts.
 */
export async function loadBuiltPages(pagesDir: string) {
  const folder = join(pagesDir, '.public');
  const files = manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  const { render } = builtModule.parse(await import(pathToFileURL(join(folder, 'render.js')).href));
  const scripts = {
    page: `/${files['public/scripts/page.ts'].file}`,
    contact: `/${files['public/scripts/contact.ts'].file}`,
  };
  return { render, scripts };
}

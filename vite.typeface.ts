import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const packageFile = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/package.json',
);

/** Has the page load its typeface beside its styles, and ships the license that the typeface requires. */
export function preloadTypeface(): Plugin {
  return {
    name: 'preload-typeface',
    generateBundle() {
      const source = readFileSync(join(dirname(packageFile), 'LICENSE'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const latin = Object.keys(bundle ?? {}).find((file) =>
          /\/inter-latin-wght-normal-[^/]+\.woff2$/.test(file),
        );
        if (!latin) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs: { ...attrs, href: `/${latin}` }, injectTo: 'head' }];
      },
    },
  };
}

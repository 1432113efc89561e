import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { preloadGerman } from './vite.german.ts';

const root = resolve(import.meta.dirname, 'web');

const sharedByPage =
  /node_modules\/(react|react-dom|scheduler)\/|web\/meet\/(icons|texts|device-selects|level-meter|microphone-level|switches|own-name|picture-places|use-store|organization-mast|shown-pictures|fill-text)\.tsx?$|texts\/en\/meet\.json$/;

/**
 * The meeting page by itself: in one build with the app it shares files with it and brings along
 * what only the app needs (119 KB gzip instead of 106).
 */
export default defineConfig({
  root,
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    preloadPage(),
    nameLiveKit(),
    preloadGerman('/texts/de/meet.ts'),
  ],
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: false,
    target: 'es2023',
    rolldownOptions: {
      input: { meet: resolve(root, 'meet.html') },
      // What the page and its later parts share, in one file: in many small ones it is 2 KB more.
      output: { codeSplitting: { groups: [{ name: 'page', test: sharedByPage }] } },
    },
  },
});

/**
 * Loads the page's looks beside its entry, which runs them after the first picture. Not as
 * `modulepreload`, which compiles them at once, when the processor has better things to do.
 */
function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const page = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/meet/page.tsx'),
        );
        if (page?.type !== 'chunk') return [];
        const styles = [...(page.viteMetadata?.importedCss ?? [])];
        return [
          ...[page.fileName, ...page.imports].map((file) => preload(file, 'script')),
          ...styles.map((file) => preload(file, 'style')),
        ];
      },
    },
  };
}

/** Where LiveKit's client is: the server has it loaded beside the entry where every call needs it. */
function nameLiveKit(): Plugin {
  return {
    name: 'name-livekit',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.values(bundle ?? {}).flatMap((file) => {
          const isIt = file.type === 'chunk' && file.facadeModuleId?.endsWith('/livekit-path.ts');
          if (!isIt) return [];
          const attrs = { rel: 'livekit', href: `/${file.fileName}`, crossorigin: true };
          return [{ tag: 'link', attrs, injectTo: 'head' as const }];
        }),
    },
  };
}

function preload(file: string, as: 'script' | 'style') {
  const attrs = { rel: 'preload', href: `/${file}`, crossorigin: true, as };
  return { tag: 'link', attrs, injectTo: 'head' as const };
}

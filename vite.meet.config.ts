import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { preloadGerman } from './vite.german.ts';
import { withoutNodeModules } from './vite.segmenter.ts';

const root = resolve(import.meta.dirname, 'web');

const sharedByPage =
  /node_modules\/(react|react-dom|scheduler)\/|web\/(?:meet|media)\/(?:[a-z]+\/)?(page|icons|texts|device-notices|device-selects|level-meter|microphone-level|switches|own-name|use-store|organization-mast|fill-text)\.tsx?$|texts\/en\/meet\.json$/;

/** What LiveKit's client shares with the page, in a file of its own: otherwise it would wait for the page. */
const sharedByLiveKit = /web\/media\/shown\//;

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
    startFirst(),
    namePage(),
    nameLiveKit(),
    preloadGerman('/texts/de/meet.ts'),
  ],
  worker: { plugins: () => [withoutNodeModules()] },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: false,
    target: 'es2023',
    // What is loaded lazily needs no other file that is not there already.
    modulePreload: false,
    // LiveKit's client, which only calls through LiveKit load.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { meet: resolve(root, 'meet.html') },
      // What the page and its later parts share, in one file: in many small ones it is 2 KB more. What
      // the entry shares with them stays with the entry, which would wait for the page else.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'begin',
              tags: ['$initial'],
              priority: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'shown-videos', test: sharedByLiveKit, priority: 2 },
            { name: 'page', test: sharedByPage, priority: 1 },
          ],
        },
      },
    },
  },
});

/**
 * The page's first script, written into it: as a file of its own it waited for the others that are
 * fetched beside it (a quarter of the time to the first picture). The server's policy names its hash
 * (server/platform/meeting-policy.ts). At the end of the page, where all that it looks at is there.
 */
function startFirst(): Plugin {
  let code = '';
  return {
    name: 'start-first',
    apply: 'build',
    async buildStart() {
      const built = await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          target: 'es2023',
          lib: { entry: resolve(root, 'meet/start.ts'), formats: ['iife'], name: 'start' },
        },
      });
      const [script] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
      if (script?.type !== 'chunk') throw new Error('start.ts came to nothing');
      code = script.code.trim();
      if (code.includes('</') || code.includes('<!--'))
        throw new Error('start.ts ends its own tag');
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        html: html.replace(
          /<script type="module" crossorigin src="([^"]+)"><\/script>/,
          '<link rel="preload" as="script" crossorigin href="$1" data-program />',
        ),
        tags: [{ tag: 'script', children: code, injectTo: 'body' }],
      }),
    },
  };
}

/**
 * Names what the page looks like, which runs after the first picture: main.ts has it loaded when there
 * is time for it. Not as `modulepreload`, which compiles it at once.
 */
function namePage(): Plugin {
  return {
    name: 'name-page',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const { entry, page, client } = chunksOf(bundle);
        if (!page || !entry) return [];
        for (const chunk of [entry, client]) {
          if (!chunk?.imports.includes(page.fileName)) continue;
          throw new Error(`${chunk.fileName} waits for the page: share what both need elsewhere`);
        }
        const styles = [...(page.viteMetadata?.importedCss ?? [])];
        return [
          ...[page.fileName, ...page.imports]
            .filter((file) => file !== entry.fileName)
            .map((file) => later(file, 'script')),
          ...styles.map((file) => later(file, 'style')),
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
      handler: (_html, { bundle }) => {
        const { entry, client } = chunksOf(bundle);
        if (!client || !entry) return [];
        return [client.fileName, ...client.imports]
          .filter((file) => file !== entry.fileName)
          .map((file) => {
            const attrs = { rel: 'livekit', href: `/${file}`, crossorigin: true };
            return { tag: 'link', attrs, injectTo: 'head' as const };
          });
      },
    },
  };
}

function chunksOf(bundle: Rolldown.OutputBundle | undefined) {
  const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
  const holding = (path: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(path)));
    if (bundle && !chunk) throw new Error(`No chunk holds ${path}: name the file where it is now`);
    return chunk;
  };
  return {
    entry: chunks.find((file) => file.isEntry),
    page: holding('/meet/page.tsx'),
    client: holding('/sfu/livekit-transport.ts'),
  };
}

function later(file: string, as: 'script' | 'style') {
  const attrs = { rel: 'later', href: `/${file}`, crossorigin: true, as };
  return { tag: 'link', attrs, injectTo: 'head' as const };
}

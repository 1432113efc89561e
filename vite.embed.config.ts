import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const packageFolder = resolve(import.meta.dirname, 'sdk/embed');
const source = resolve(packageFolder, 'src');

const served = { v1: resolve(source, 'v1.ts') };
const packaged = {
  'rapport-room': resolve(source, 'rapport-room.ts'),
  react: resolve(source, 'react.tsx'),
};

/**
 * `<rapport-room>` for other sites: the file that the server serves at /embed/v1.js. With `--mode package`, the
 * modules of the package in sdk/embed.
 */
export default defineConfig(({ mode }) => ({
  root: source,
  publicDir: false,
  build: {
    outDir:
      mode === 'package' ? resolve(packageFolder, 'dist') : resolve(import.meta.dirname, 'dist'),
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      external: ['react'],
      preserveEntrySignatures: 'exports-only',
      input: mode === 'package' ? packaged : served,
      output: { entryFileNames: 'embed/[name].js', chunkFileNames: 'embed/[name]-[hash].js' },
    },
  },
}));

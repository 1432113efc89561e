import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadGerman } from './vite.german.ts';
import { withoutNodeModules } from './vite.segmenter.ts';
import { preloadTypeface } from './vite.typeface.ts';
import { withoutJsonSchema } from './vite.zod.ts';

const root = resolve(import.meta.dirname, 'web');

/**
 * Zod tries whether it may make code of strings as soon as it is loaded, and browsers report it: here no
 * page may (Content-Security-Policy, Trusted Types). Its `config()` would come after that.
 */
const withoutEval = '(globalThis.__zod_globalConfig??={}).jitless=true;';
const isZod = (id: string) => id.includes('/node_modules/zod/');

/** The app. The meeting page is built by itself: vite.meet.config.ts. */
export default defineConfig({
  root,
  base: '/',
  publicDir: resolve(root, 'static'),
  plugins: [
    react(),
    tailwindcss(),
    preloadGerman('/texts/de/app.ts'),
    preloadTypeface(),
    withoutJsonSchema(),
  ],
  worker: { plugins: () => [withoutNodeModules()] },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      input: { app: resolve(root, 'app.html') },
      output: { banner: ({ moduleIds }) => (moduleIds.some(isZod) ? withoutEval : '') },
    },
  },
});

import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadGerman } from './vite.german.ts';

const root = resolve(import.meta.dirname, 'web');

/** The app. The meeting page is built by itself: vite.meet.config.ts. */
export default defineConfig({
  root,
  base: '/',
  publicDir: resolve(root, 'static'),
  plugins: [react(), tailwindcss(), preloadGerman('/texts/de/app.ts')],
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      input: { app: resolve(root, 'app.html') },
    },
  },
});

import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, 'web');

/**
 * The public pages: a module that the server renders them with (`.public/render.js`, not served), the
 * two small scripts that they load, and their pictures.
 */
export default defineConfig({
  root,
  base: '/',
  publicDir: false,
  plugins: [react(), tailwindcss()],
  // The module stands alone: nothing of node_modules is looked for where it is built to.
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: false,
    target: 'es2023',
    minify: true,
    manifest: '.public/manifest.json',
    rolldownOptions: {
      input: {
        render: resolve(root, 'public/render.tsx'),
        page: resolve(root, 'public/scripts/page.ts'),
        contact: resolve(root, 'public/scripts/contact.ts'),
      },
      output: {
        entryFileNames: ({ name }) =>
          name === 'render' ? '.public/render.js' : 'assets/public-[name]-[hash].js',
        chunkFileNames: 'assets/public-[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});

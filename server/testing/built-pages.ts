import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const vite = join(root, 'node_modules/vite/bin/vite.js');

/** Creates a folder with the files that `buildApp` needs of the built pages, with empty scripts. */
export function emptyPages(head = '<head>'): { pagesDir: string; remove(): void } {
  const pagesDir = mkdtempSync(join(tmpdir(), 'rapport-pages-'));
  for (const name of ['app', 'meet']) {
    writeFileSync(join(pagesDir, `${name}.html`), `${head}<title>${name}</title><!--boot-->`);
  }
  mkdirSync(join(pagesDir, 'assets'));
  for (const name of ['app-1234', 'blur-worker-5678'])
    writeFileSync(join(pagesDir, 'assets', `${name}.js`), 'let built;');
  mkdirSync(join(pagesDir, '.public'));
  writeFileSync(join(pagesDir, '.public', 'render.js'), `export const render = () => 'public';`);
  const scripts = ['page', 'contact'].map((name) => [`public/scripts/${name}.ts`, { file: name }]);
  const manifest = JSON.stringify(Object.fromEntries(scripts));
  writeFileSync(join(pagesDir, '.public', 'manifest.json'), manifest);
  return { pagesDir, remove: () => rmSync(pagesDir, { recursive: true, force: true }) };
}

/** Builds the public pages like scripts/build.ts, in a folder of their own beside empty scripts. */
export function buildPublicPages(): { pagesDir: string; remove(): void } {
  const pagesDir = mkdtempSync(join(tmpdir(), 'rapport-public-'));
  for (const name of ['app', 'meet']) {
    writeFileSync(join(pagesDir, `${name}.html`), `<head><title>${name}</title></head><!--boot-->`);
  }
  const args = [vite, 'build', '--config', 'vite.public.config.ts', '--outDir', pagesDir];
  const { status, stderr } = spawnSync(process.execPath, [...args, '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The public pages could not be built: ${stderr}`);
  writeFileSync(join(pagesDir, 'og.png'), readFileSync(join(root, 'web/static/og.png')));
  return { pagesDir, remove: () => rmSync(pagesDir, { recursive: true, force: true }) };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connect, ViteDevServer } from 'vite';
import { fail } from './fail.ts';

const port = Number(process.env.PORT ?? 3000);
const apiPort = port + 1;
const publicPages = '^/(features|about|contact|signup|sitemap\\.xml|robots\\.txt)?(\\?.*)?$';
const web = join(import.meta.dirname, '../web');

/** Returns the program that a path belongs to; null means the server or a module of Vite's. */
function pageOf(path: string): 'app' | 'meet' | null {
  if (/^\/(meet|join)\//.test(path)) return 'meet';
  return /^\/(app|auth)/.test(path) ? 'app' : null;
}

/** Serves the HTML pages through Vite, with the boot data that the server writes into the built page. */
function pages(vite: ViteDevServer): Connect.NextHandleFunction {
  return async (request, response, next) => {
    const url = request.originalUrl ?? '/';
    const page = request.headers.accept?.includes('html') ? pageOf(url.split('?')[0] ?? '') : null;
    if (!page) return next();
    const headers = { accept: 'text/html', cookie: request.headers.cookie ?? '' };
    const served = await fetch(`http://localhost:${apiPort}${url}`, { headers })
      .then((answer) => answer.text())
      .catch(() => '');
    const boot = /<script type="application\/json" id="boot">.*?<\/script>/s.exec(served)?.[0];
    const source = readFileSync(join(web, `${page}.html`), 'utf8');
    const html = await vite.transformIndexHtml(`/${page}.html`, source);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html.replace('<!--boot-->', () => boot ?? '<!--boot-->'));
  };
}

/** Node restarts it when one of its files changes. */
function startServer(): ChildProcess {
  const watch = ['--watch-path=server', '--watch-path=domain', '--watch-preserve-output'];
  return spawn(process.execPath, [...watch, 'scripts/start.ts'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(apiPort),
      PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
    },
  });
}

try {
  const { createServer } = await import('vite');
  const target = `http://localhost:${apiPort}`;
  const vite = await createServer({
    appType: 'custom',
    server: {
      port,
      strictPort: true,
      proxy: {
        '/api': target,
        '/ws': { target, ws: true },
        '/healthz': target,
        // The server serves the public pages as they were built when it started.
        [publicPages]: target,
        '/assets': target,
      },
    },
  });
  vite.middlewares.use(pages(vite));
  const server = startServer();
  await vite.listen();
  console.log(`\nPages that reload themselves: http://localhost:${port}`);
  const stop = async () => {
    server.kill('SIGTERM');
    await vite.close();
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  fail(error);
}

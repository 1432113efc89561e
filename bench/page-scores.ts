import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort } from '#server/testing/free-port.ts';
import { ApiUser } from '../e2e/support/api.ts';
import { findBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import type { Measured } from './report.ts';
import { installLighthouse, type LighthouseReport, lighthouse } from './support/lighthouse.ts';
import { scores } from './support/scores.ts';

const rounds = 5;
const mara = { email: 'mara@northwind.example', password: 'demo-password' };
const settings = [
  '',
  '/profile',
  '/billing',
  '/security',
  '/team',
  '/provisioning',
  '/sso',
  '/audit-logs',
  '/privacy',
  '/ai',
  '/webhooks',
  '/api',
  '/embedding',
  '/notifications',
];
/** Pages that robots.txt keeps from search engines on purpose: what is behind the sign-in, and links with tokens. */
const isHidden = (path: string) => !path.startsWith('/auth');

/**
 * Measures Lighthouse's scores of the demo's pages that are not public, as its admin sees them. Their speed is
 * measured by `bytes` and `join`, and the public pages by `public`.
 */
export async function pageScores(): Promise<Measured[]> {
  installLighthouse();
  const program = await startProgram({}, undefined, undefined, 'demo');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'rapport-scores-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findBrowser() ?? '',
    args: [
      `--remote-debugging-port=${port}`,
      ...['--no-sandbox', '--disable-gpu', '--disable-quic'],
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    ],
  });
  try {
    const user = new ApiUser(program.url);
    await user.send('POST', '/api/login', mara);
    const paths = await pathsOf(user);
    const found: Measured[] = [];
    for (const { path, isSignedIn } of paths) {
      if (isSignedIn) await user.signIn({ context });
      else await context.clearCookies();
      const reports: LighthouseReport[] = [];
      for (let round = 0; round < rounds; round += 1)
        reports.push(await measure(program.url, path, port));
      found.push(...scores(path, ['accessibility', 'best-practices', 'seo'], reports));
    }
    return found;
  } finally {
    await context.close();
    await discard(program);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(origin: string, path: string, port: number): Promise<LighthouseReport> {
  const report = await lighthouse(origin + path, [
    `--port=${port}`,
    '--disable-storage-reset',
    '--only-categories=accessibility,best-practices,seo',
    ...(isHidden(path) ? ['--skip-audits=is-crawlable'] : []),
  ]);
  const { pathname } = new URL(report.finalDisplayedUrl);
  if (pathname !== new URL(path, origin).pathname)
    throw new Error(`${path} led to ${report.finalDisplayedUrl}.`);
  return report;
}

/** Returns the paths of the pages, those for people who are signed out last. */
async function pathsOf(user: ApiUser): Promise<{ path: string; isSignedIn: boolean }[]> {
  const firstOf = async (list: string) => {
    const [first] = await user.send<{ id: string }[]>('GET', list);
    if (!first) throw new Error(`The demo has none of ${list}.`);
    return first.id;
  };
  const room = await firstOf('/api/rooms');
  const link = await user.send<{ url: string }>('GET', `/api/rooms/${room}/guest-link`);
  const invited = await user.send<{ url: string }>('POST', '/api/users/invite', {
    email: 'measured@northwind.example',
    role: 'VIEWER',
  });
  const signedIn = [
    '/app',
    '/app/rooms',
    `/app/rooms/${room}`,
    `/app/rooms/${room}/call`,
    `/app/calls/${await firstOf('/api/calls?sort=longest')}`,
    '/app/search?q=export',
    '/app/playbooks',
    `/app/playbooks/${await firstOf('/api/playbooks')}`,
    '/app/analytics',
    '/app/devices',
    ...settings.map((page) => `/app/settings${page}`),
  ];
  const signedOut = [
    '/auth',
    '/reset-password/never-sent',
    ...[invited.url, link.url].map((url) => new URL(url).pathname),
  ];
  return [
    ...signedIn.map((path) => ({ path, isSignedIn: true })),
    ...signedOut.map((path) => ({ path, isSignedIn: false })),
  ];
}

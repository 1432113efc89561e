import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { buildApp } from '#server/app.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { openLog } from './log.ts';
import { pathForLog, withoutTokens } from './log-tokens.ts';

/** One as long as the shortest of our tokens (32 bytes in base64url), and a short text that is not one. */
const tokens = ['kN0wn-T0ken_AbCdEfGhIjKlMnOpQrStUvWxYz01234', 'sh0rtT0ken'];
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzM2NyM3QifQ.c2lnbmF0dXJl';

let app: TestApp;
let http: FastifyInstance;
let url: string;
const pages = emptyPages();
const folder = mkdtempSync(join(tmpdir(), 'rapport-log-'));
const file = join(folder, 'rapport.log');
const log = openLog('trace', file);
beforeAll(async () => {
  app = await openTestApp();
  http = await buildApp({ ...app.services, log }, { pagesDir: pages.pagesDir });
  url = await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await http.close();
  await app.close();
  pages.remove();
  rmSync(folder, { recursive: true, force: true });
});

let ends = 0;
/** Returns the log up to now. Lines are written in order, with a short delay. */
async function logged(): Promise<string> {
  await setImmediate();
  ends += 1;
  const end = `end-${ends}.`;
  log.info(end);
  await expect.poll(() => readFileSync(file, 'utf8').includes(end)).toBe(true);
  return readFileSync(file, 'utf8');
}

const paths = (token: string) => [
  `/invite/${token}`,
  `/invite/${token}/`,
  `/Invite/${token}`,
  `//invite/${token}`,
  `/invite/${token}/more?token=${token}`,
  `/reset-password/${token}`,
  `/reset-password/${encodeURIComponent(`${token}%`)}`,
  `/verify-email/${token}`,
  `/join/${token}`,
  `/join/${token}/entry.ics`,
  `/i/${token}`,
  `/${token}`,
  `/app/reset-password/${token}?x=1#${token}`,
  `/auth?next=/join/${token}&token=${token}`,
  `/api/invitations/${token}`,
  `/api/invitations/${token}/accept`,
  `/api/reset-password/${token}`,
  `/api/verify-email/${token}`,
  `/api/join/${token}`,
  `/api/join/${token}/opening`,
  `/api/nothing/${token}?code=${token}`,
  `/api/login?next=/invite/${token}`,
  `/sso/oidc/${token}/callback?code=${token}&state=${token}`,
  `/sso/saml/${token}/finish?ticket=${token}`,
  `/ws?token=${token}`,
  `/%ff/${token}`,
];

test.each(tokens)(
  'no request leaves the token %s in the log, whether it is refused or served',
  async (token) => {
    const before = (await logged()).length;
    for (const path of paths(token)) {
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const headers = {
          accept: 'text/html',
          referer: `http://localhost/join/${token}`,
          cookie: `rapport_session=${token}`,
          authorization: `Bearer ${token}`,
        };
        const payload = method === 'GET' ? {} : { payload: { token, password: token } };
        await http.inject({ method, url: path, headers, ...payload });
      }
    }
    const lines = (await logged()).slice(before);
    expect(lines.trim().split('\n').length).toBeGreaterThan(paths(token).length);
    expect(lines).not.toContain(token);
    expect(lines).toContain('"path":"/join/:token"');
    expect(lines).toContain('"path":"/reset-password/:x"');
  },
);

test('an error that quotes a URL is logged without its token', async () => {
  const { database } = app.services;
  const { connection } = database;
  for (const token of tokens) {
    database.connection = () =>
      Promise.reject(new Error(`nothing at /join/${token}?token=${token}`));
    try {
      const failed = await http.inject({ method: 'POST', url: `/api/verify-email/${token}` });
      expect(failed.statusCode).toBe(500);
    } finally {
      database.connection = connection;
    }
    expect(await logged()).not.toContain(token);
  }
  expect(await logged()).toContain('nothing at /join/[token]');
});

test('the URL of a WebSocket leaves no token in the log', async () => {
  const [token = ''] = tokens;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws?token=${token}`);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.send(JSON.stringify({ type: 'hello', token }));
  socket.close();
  await closed;
  const refused = new WebSocket(`${url.replace(/^http/, 'ws')}/join/${token}?token=${token}`);
  await new Promise((resolve) => refused.once('error', resolve));
  expect(await logged()).not.toContain(token);
  expect(await logged()).toContain('/join/[token]?token=[token]');
});

test('tokens and JWTs are removed from every log line', async () => {
  const [token = ''] = tokens;
  log.error({ err: new Error(`the link http://localhost/invite/${token} is dead`) }, 'failed');
  log.info({ to: `https://calls.example.com/verify-email/unconfirmed`, session: token, jwt }, jwt);
  expect(await logged()).not.toContain(token);
  expect(await logged()).not.toContain('unconfirmed');
  expect(await logged()).not.toContain('eyJ');
  expect(await logged()).toContain('/invite/[token]');
});

test('a token of several parts is removed as a whole, also if only the first part is long', () => {
  const [token = ''] = tokens;
  expect(withoutTokens(`sent ${token}.1764300000.c2lnbmF0dXJl today`)).toBe('sent [token] today');
});

test('a line keeps its ids, file names and stack, and stays JSON', () => {
  const line = JSON.stringify({
    reqId: 'mabc-1',
    callId: '01900000-0000-7000-8000-000000000000',
    stack: 'at x (/srv/node_modules/@simplewebauthn/server/esm/index.js:1:2)',
    path: '/api/rooms/:id',
  });
  expect(withoutTokens(line)).toBe(line);
  expect(JSON.parse(withoutTokens(JSON.stringify({ url: `/join/x"y?token=a"b` })))).toEqual({
    url: expect.stringContaining('[token]'),
  });
});

test('for a path without a route, the log keeps only its plain words', () => {
  expect(pathForLog('/app/settings/profile?tab=1')).toBe('/app/settings/profile');
  expect(pathForLog('/wp-admin/setup.php')).toBe('/wp-admin/setup.php');
  expect(pathForLog(`/reset-password/${tokens[1]}`)).toBe('/reset-password/:x');
  expect(pathForLog('/%2e%2e/etc')).toBe('/:x/etc');
});

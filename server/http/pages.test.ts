import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { joinLimit } from '#domain/links/join-limit.ts';
import { meetBoot } from '#domain/rooms/boot.ts';
import { createRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const first = "window.started = 'its first script'";
const head = `<html lang="en"><meta name="color-scheme" content="light dark" /><!--de:<i></i>--><script>${first}</script><!--about:guest-->`;
const { pagesDir, remove } = emptyPages(head);
let app: TestApp;
let http: FastifyInstance;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let roomId: string;

beforeAll(async () => {
  app = await openTestApp();
  http = await buildApp(app.services, { pagesDir, strictAnswers: true });
});
const hostile = `</script><script>alert(1)</script><!-- $& \u2028 $'`;
beforeEach(async () => {
  ada = await newOrganization(app);
  roomId = (await ada.call(createRoom, { body: { topic: hostile } })).id;
});
afterAll(async () => {
  await http.close();
  await app.close();
  remove();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  http.inject({ url, headers: { accept: 'text/html', ...headers } });
const bootOf = (page: string): unknown => {
  const found = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page);
  return found?.[1] === undefined ? null : JSON.parse(found[1]);
};
const linkPath = async () =>
  new URL((await ada.call(readGuestLink, { params: { id: roomId } })).url).pathname;

test('the call page contains the user and the opened room, and markup in it stays text', async () => {
  const { payload, headers } = await get(`/app/rooms/${roomId}/call`, { cookie: ada.cookie });
  expect(bootOf(payload)).toMatchObject({
    user: ada.user,
    room: { id: roomId, topic: hostile, meetingToken: expect.any(String) },
    servedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  expect(payload.match(/<script/g)).toHaveLength(2);
  expect(payload).toContain('<title>app</title>');
  expect(headers['cache-control']).toBe('no-store');
});

test('without access to the room the call page contains no data', async () => {
  const eve = await newOrganization(app);
  for (const cookie of ['', eve.cookie]) {
    const { statusCode, payload } = await get(`/app/rooms/${roomId}/call`, { cookie });
    expect(statusCode).toBe(200);
    expect(bootOf(payload)).toBeNull();
    expect(payload).not.toContain(roomId);
  }
});

test('the guest’s page contains the data for joining', async () => {
  const { statusCode, payload } = await get(await linkPath());
  expect(statusCode).toBe(200);
  expect(meetBoot.parse(bootOf(payload))).toMatchObject({
    kind: 'guest',
    room: { id: roomId, topic: hostile },
  });
  expect(payload.match(/<script/g)).toHaveLength(2);
});

test('the page of an invalid link reports it, with the matching status', async () => {
  const old = await linkPath();
  await ada.call(renewGuestLink, { params: { id: roomId } });
  const replaced = await get(old);
  expect(replaced.statusCode).toBe(410);
  expect(bootOf(replaced.payload)).toMatchObject({ kind: 'refused', code: 'guest_link_renewed' });
  const forged = await get('/join/forged');
  expect(forged.statusCode).toBe(404);
  expect(meetBoot.parse(bootOf(forged.payload))).toMatchObject({ kind: 'refused' });
});

test('R8-10: the page and the API of guest links share one limit; R20-59: a small page says to wait', async () => {
  const config = { ...app.services.config, RATE_LIMIT_SCALE: 1 };
  const limited = await buildApp({ ...app.services, config }, { pagesDir, strictAnswers: true });
  try {
    const path = await linkPath();
    const open = () => limited.inject({ url: path, headers: { accept: 'text/html' } });
    for (let n = 0; n < joinLimit.most - 1; n += 1) await limited.inject(`/api${path}`);
    expect((await open()).statusCode).toBe(200);
    const asked = vi.spyOn(app.services.database, 'connection');
    const { statusCode, payload, headers } = await open();
    // R20-59: neither a query nor the page of a call.
    expect(asked.mock.calls.filter(([of]) => of === ada.user.orgId)).toEqual([]);
    asked.mockRestore();
    expect(statusCode).toBe(429);
    expect(payload).toMatch(/Please wait \d+ seconds/);
    expect(payload.length).toBeLessThan(500);
    expect(payload).not.toContain('<script');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const inGerman = { accept: 'text/html', 'accept-language': 'de' };
    const german = await limited.inject({ url: path, headers: inGerman });
    expect(german.payload).toContain('Bitte warten Sie');
    expect((await limited.inject('/embed/room/token')).statusCode).toBe(429);
    expect((await limited.inject(`/api${path}`)).statusCode).toBe(429);
  } finally {
    await limited.close();
  }
});

test('every page restricts browsers to its own scripts, frame, and use of the camera', async () => {
  const hash = `sha256-${createHash('sha256').update(first).digest('base64')}`;
  for (const path of ['/', '/auth', `/app/rooms/${roomId}/call`, `/meet/${roomId}`, '/join/x']) {
    const { headers } = await get(path);
    const policy = String(headers['content-security-policy']);
    const isMeeting = /^\/(meet|join)\//.test(path);
    expect(policy).toContain(isMeeting ? `script-src 'self' '${hash}';` : "script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(isMeeting ? /trusted-types rapport-blur(;|$)/ : /trusted-types 'none'/);
    expect(policy).not.toContain('wasm');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toMatch(/sameorigin/i);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  }
});

test('WebAssembly runs only in the worker that blurs the background', async () => {
  const policyOf = async (path: string) =>
    String((await get(path)).headers['content-security-policy']);
  const worker = await policyOf('/assets/blur-worker-5678.js');
  expect(worker).toContain("default-src 'none'");
  expect(worker).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(worker).toContain("trusted-types 'none'");
  expect(await policyOf('/assets/app-1234.js')).not.toContain('wasm');
});

test('unknown paths get the page with 404, unknown endpoints JSON', async () => {
  expect(await get('/no/such/page')).toMatchObject({ statusCode: 404 });
  expect((await get('/no/such/page')).payload).toContain('<title>app</title>');
  const api = await get('/api/nothing');
  expect(api.statusCode).toBe(404);
  expect(api.json()).toMatchObject({ status: 404, code: 'not_found' });
  expect((await http.inject({ method: 'POST', url: '/app' })).statusCode).toBe(404);
});

test('browsers keep built assets forever, and nothing beside the folder is served', async () => {
  const asset = await get('/assets/app-1234.js');
  expect(asset.headers['cache-control']).toContain('immutable');
  expect((await get('/.public/render.js')).statusCode).toBe(404);
  for (const path of ['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fetc/passwd']) {
    const { payload } = await get(path);
    expect(payload).not.toMatch(/"rapport"|root:/);
  }
});

test('the API describes itself', async () => {
  const { json } = await get('/api/openapi.json');
  const document = json();
  expect(document.openapi).toBe('3.1.0');
  expect(document.paths['/api/rooms/{id}'].get.responses).toHaveProperty('404');
  expect(document.paths['/api/rooms'].get.security).toEqual([
    { session: [] },
    { token: ['rooms:read'] },
  ]);
});

test('readiness reports an unavailable database, health does not', async () => {
  const { database } = app.services;
  const { connection } = database;
  database.connection = () => Promise.reject(new Error('away'));
  try {
    expect((await get('/healthz')).statusCode).toBe(200);
    expect((await get('/readyz')).statusCode).toBe(503);
  } finally {
    database.connection = connection;
  }
  expect((await get('/readyz')).statusCode).toBe(200);
});

test('a page is in the reader’s language and theme from its first line', async () => {
  const opening = async (headers: Record<string, string>) =>
    (await get('/app', headers)).payload.split('<script>')[0];
  const page = (lang: string, theme: string | null, german: string) =>
    `<html lang="${lang}"${theme ? ` data-theme="${theme}"` : ''}>` +
    `<meta name="color-scheme" content="${theme ?? 'light dark'}" />${german}`;
  expect(await opening({})).toBe(page('en', null, ''));
  expect(await opening({ 'accept-language': 'fr, en;q=0.4, de-CH;q=0.8' })).toBe(
    page('de', null, '<i></i>'),
  );
  const chosen = { cookie: 'rapport_language=en; rapport_theme=dark', 'accept-language': 'de' };
  expect(await opening(chosen)).toBe(page('en', 'dark', ''));
  const odd = {
    cookie: 'rapport_language=x"y; rapport_theme="><script>',
    'accept-language': ',;q',
  };
  expect(await opening(odd)).toBe(page('en', null, ''));
  const meeting = await get('/meet/any', { cookie: 'rapport_theme=light; rapport_language=de' });
  expect(meeting.payload).toContain(page('de', 'light', '<i></i>'));
});

test('a page describes itself in the reader’s language, for previews of its link', async () => {
  const described = async (path: string, language: string) =>
    /<meta name="description" content="([^"]+)"/.exec(
      (await get(path, { 'accept-language': language })).payload,
    )?.[1];
  expect(await described(await linkPath(), 'en')).toMatch(/^Join the video call in your browser/);
  expect(await described('/app', 'de')).toMatch(/^Nehmen Sie im Browser am Videogespräch teil/);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logout } from '#domain/auth/contract.ts';
import { publicPaths } from '#domain/public/pages.ts';
import { buildApp } from '#server/app.ts';
import { buildPublicPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';

const paths = Object.values(publicPaths);
const built = buildPublicPages();
let app: TestApp;
let http: FastifyInstance;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  http = await buildApp(app.services, { pagesDir: built.pagesDir, strictAnswers: true });
});
afterAll(async () => {
  await http.close();
  await app.close();
  built.remove();
});

const get = (url: string, headers: Record<string, string> = {}, from = http) =>
  from.inject({ url, headers: { accept: 'text/html', ...headers } });
const pageAt = async (url: string, headers: Record<string, string> = {}) =>
  (await get(url, headers)).payload;
/** Returns the text that is readable without scripts. */
const textOf = (html: string) =>
  html
    .replace(/^.*<body>/s, '')
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ');
const linksOf = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to ?? '');
const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];

test.each(paths)('%s carries a page title and social metadata of its own', async (path) => {
  const { statusCode, payload, headers } = await get(path);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(payload).toMatch(/^<!doctype html><html lang="en">/);
  const address = `https://calls.example.com${path}`;
  const title = attribute(payload, /<title>([^<]+)<\/title>/);
  expect(title).toContain('Rapport');
  expect(attribute(payload, /<meta name="description" content="([^"]{50,170})"/)).toBeTruthy();
  expect(attribute(payload, /<link rel="canonical" href="([^"]+)"/)).toBe(address);
  expect(attribute(payload, /property="og:title" content="([^"]+)"/)).toBe(title);
  expect(attribute(payload, /property="og:url" content="([^"]+)"/)).toBe(address);
  expect(attribute(payload, /name="twitter:card" content="([^"]+)"/)).toBe('summary_large_image');
  expect(attribute(payload, /hrefLang="de" href="([^"]+)"/)).toBe(`${address}?lang=de`);
  expect(payload.match(/<h1/g)).toHaveLength(1);
  const data = attribute(payload, /<script type="application\/ld\+json">(.*?)<\/script>/s);
  expect(JSON.parse(data ?? '')).toMatchObject({ '@context': 'https://schema.org' });
});

test('no two pages have the same title or description', async () => {
  const pages = await Promise.all(paths.map((path) => pageAt(path)));
  for (const pattern of [/<title>([^<]+)/, /name="description" content="([^"]+)"/]) {
    expect(new Set(pages.map((page) => attribute(page, pattern))).size).toBe(paths.length);
  }
});

test('the preview image of a link is a PNG that other sites may embed', async () => {
  const url = attribute(await pageAt('/'), /property="og:image" content="([^"]+)"/) ?? '';
  expect(url).toBe('https://calls.example.com/og.png');
  const { headers, rawPayload } = await get('/og.png');
  expect(headers['content-type']).toBe('image/png');
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(rawPayload.subarray(1, 4).toString()).toBe('PNG');
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('landing, features, about and signup pages link to each other and to /signup and /contact', async () => {
  for (const path of ['/', '/features', '/about', '/signup', '/contact']) {
    const links = linksOf(await pageAt(path));
    for (const to of paths) expect(links, `${path} to ${to}`).toContain(to);
  }
});

test('the landing page shows the three pricing plans with their prices and contents', async () => {
  const page = await pageAt('/');
  const text = textOf(page);
  for (const words of [
    'Starter',
    '$0 /month',
    'up to 5 video calls/month',
    'basic playbooks',
    'standard support',
    'call recordings',
    'Professional',
    'Most Popular',
    '$49 /month',
    'unlimited calls',
    'advanced AI playbooks',
    'full analytics',
    'priority support',
    'CRM integrations',
    'NPS tracking',
    'Enterprise',
    '$199 /month',
    'everything in Professional',
    'custom CRM integrations',
    'white-label branding',
    'dedicated success manager',
    'SCIM/SSO',
    'custom onboarding',
    'Enterprise-ready',
  ])
    expect(text, words).toContain(words);
  expect(text.match(/Most Popular/g)).toHaveLength(1);
  expect(page).toMatch(/href="\/contact\?plan=enterprise"[^>]*>Contact sales</);
});

test('the trial is described as 14 days, no credit card, up to 10 video calls', async () => {
  for (const path of ['/', '/signup']) {
    const text = textOf(await pageAt(path));
    for (const words of [/14 days/, /No credit card/i, /up to 10 video calls/i])
      expect(text, path).toMatch(words);
  }
  expect(linksOf(await pageAt('/signup')).some((to) => /^\/auth\?tab=register&amp;/.test(to))).toBe(
    true,
  );
});

test('the claims 99.9% uptime, 500+ teams, 100K+ calls, 25+ countries are each marked as an example', async () => {
  for (const path of ['/', '/about']) {
    const text = textOf(await pageAt(path));
    for (const claim of ['99.9% uptime', '500+ teams', '100K+ calls', '25+ countries'])
      expect(text).toContain(`${claim} Example`);
    expect(text).toContain('placeholders, not results');
  }
});

test('claims that the operator measured or states show their source, and no example mark', async () => {
  const other = await openTestApp();
  const file = join(other.services.config.DATA_DIR, 'claims.json');
  const claims = [
    { text: '99.95% uptime', source: 'status page, 2026 <Q3>', status: 'measured' },
    { text: '12 countries', textDe: '12 Länder', source: 'our invoices', status: 'stated' },
  ];
  writeFileSync(file, JSON.stringify({ claims }));
  const site = await buildApp(other.services, { pagesDir: built.pagesDir });
  const { payload } = await get('/', {}, site);
  expect(payload).toContain('Measured: status page, 2026 &lt;Q3&gt;');
  expect(textOf(payload)).toContain('12 countries Stated by us: our invoices');
  expect(textOf(payload)).not.toMatch(/500\+ teams|placeholders/);
  expect(textOf((await get('/?lang=de', {}, site)).payload)).toContain('12 Länder');
  await site.close();
  await other.close();
});

test('every Sign in link contains next=/app', async () => {
  for (const path of paths) {
    const page = await pageAt(path);
    const signIns = [...page.matchAll(/<a [^>]*href="([^"]*)"[^>]*>Sign in</g)].map(([, to]) => to);
    expect(signIns.length, path).toBeGreaterThan(0);
    expect(new Set(signIns)).toEqual(new Set(['/auth?next=/app']));
    expect(page).not.toContain('Open dashboard');
  }
});

test('for a signed-in visitor the pages show Open dashboard in place of Sign in', async () => {
  const ada = await newOrganization(app);
  for (const path of paths) {
    const page = await pageAt(path, { cookie: ada.cookie });
    expect(page).toMatch(/href="\/app"[^>]*>Open dashboard</);
    expect(page, path).not.toContain('>Sign in<');
  }
  const { cookie } = ada;
  await ada.call(logout);
  expect(await pageAt('/', { cookie })).toContain('>Sign in<');
});

test('a browser reuses a page until it changes, or the signed-in user does', async () => {
  const ada = await newOrganization(app);
  const first = await get('/');
  expect(first.headers['cache-control']).toBe('no-cache');
  expect(String(first.headers.vary)).toContain('cookie');
  const etag = String(first.headers.etag);
  expect((await get('/', { 'if-none-match': etag })).statusCode).toBe(304);
  expect((await get('/', { 'if-none-match': etag, cookie: ada.cookie })).statusCode).toBe(200);
  const zipped = await get('/', { 'accept-encoding': 'gzip' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(zipped.rawPayload.length).toBeLessThan(20_000);
});

test('public pages work while the database is unavailable', async () => {
  const ada = await newOrganization(app);
  const { database } = app.services;
  const { connection } = database;
  database.connection = () => Promise.reject(new Error('away'));
  try {
    expect((await get('/', { cookie: ada.cookie })).statusCode).toBe(200);
  } finally {
    database.connection = connection;
  }
});

test('sitemap.xml and robots.txt lead crawlers to the pages, and away from links with a token', async () => {
  const map = await get('/sitemap.xml');
  expect(map.headers['content-type']).toContain('application/xml');
  for (const path of paths) {
    expect(map.payload).toContain(`<loc>https://calls.example.com${path}</loc>`);
    expect(map.payload).toContain(`<loc>https://calls.example.com${path}?lang=de</loc>`);
  }
  const robots = (await get('/robots.txt')).payload;
  expect(robots).toContain('Sitemap: https://calls.example.com/sitemap.xml');
  for (const path of ['/join/', '/invite/', '/reset-password/', '/shared/', '/app'])
    expect(robots).toContain(`Disallow: ${path}`);
});

test('without PUBLIC_URL a page names the accepted host of its request', async () => {
  const other = await openTestApp({ ALLOWED_HOSTS: 'calls.local' });
  const site = await buildApp(other.services, { pagesDir: built.pagesDir });
  const asked = await get('/about', { host: 'calls.local:3000' }, site);
  expect(asked.payload).toContain('<link rel="canonical" href="http://calls.local:3000/about"/>');
  const hostile = await get('/about', { host: 'x"><script>alert(1)</script>' }, site);
  expect(hostile.statusCode).toBe(421);
  expect(hostile.payload).not.toContain('alert(1)');
  await site.close();
  await other.close();
});

test('privacy notice and terms are linked where the operator has set them', async () => {
  expect(await pageAt('/')).not.toMatch(/>Privacy<|>Terms</);
  const legal = {
    PRIVACY_URL: 'https://acme.example/privacy',
    TERMS_URL: 'https://acme.example/terms',
  };
  const other = await openTestApp(legal);
  const site = await buildApp(other.services, { pagesDir: built.pagesDir });
  const { payload } = await get('/', {}, site);
  expect(payload).toMatch(/href="https:\/\/acme.example\/privacy"[^>]*>Privacy</);
  expect(payload).toMatch(/href="https:\/\/acme.example\/terms"[^>]*>Terms</);
  for (const path of ['/auth', '/join/x', '/app']) {
    const page = (await get(path, {}, site)).payload;
    expect(page).toContain('<meta name="privacy-url" content="https://acme.example/privacy" />');
    expect(page).toContain('<meta name="terms-url" content="https://acme.example/terms" />');
  }
  expect(await pageAt('/auth')).not.toContain('privacy-url');
  await site.close();
  await other.close();
});

test('the contact page has the fields of the spec, and states when we answer', async () => {
  const page = await pageAt('/contact');
  const text = textOf(page);
  for (const label of [
    'First Name*',
    'Last Name*',
    'Business Email*',
    'Company Name*',
    'Phone Number',
    'Plan of Interest',
    'Message',
  ])
    expect(text, label).toContain(label);
  for (const name of [
    'firstName',
    'lastName',
    'email',
    'company',
    'phone',
    'planInterest',
    'message',
  ])
    expect(page, name).toContain(`name="${name}"`);
  for (const plan of ['professional', 'enterprise', 'custom'])
    expect(page).toContain(`<option value="${plan}">`);
  expect(text).toContain('within 2 hours in business hours 9-6 PST Mon-Fri');
  expect(page).not.toContain('data-send=');
});

test('a public page loads only its own files, and has no inline script', async () => {
  for (const path of paths) {
    const page = await pageAt(path);
    expect(page.match(/<script(?! type="application\/ld\+json")[^>]*>[^<]/)).toBeNull();
    for (const [, url] of page.matchAll(/(?:src|srcSet)="([^"]+)"/g)) expect(url).toMatch(/^\//);
    for (const [, script] of page.matchAll(/<script type="module" src="([^"]+)"/g))
      expect((await get(script ?? '')).statusCode).toBe(200);
  }
  expect(await new Visitor(app).send('GET', '/.public/render.js')).toMatchObject({ status: 404 });
});

test('German is shown to readers who prefer it, has its own URL, and is remembered', async () => {
  for (const headers of [{ 'accept-language': 'de-AT' }, { cookie: 'rapport_language=de' }]) {
    const { payload } = await get('/signup', headers);
    expect(payload).toContain('<html lang="de">');
    expect(payload).toContain('hrefLang="en" href="https://calls.example.com/signup"');
  }
  const asked = await get('/signup?lang=de', { 'accept-language': 'en' });
  expect(asked.payload).toContain('<html lang="de">');
  expect(linksOf(asked.payload)).toContain('/features?lang=de');
  expect(String(asked.headers['set-cookie'])).toMatch(/^rapport_language=de;.*Path=\//);
  const back = await get('/signup?lang=en', { cookie: 'rapport_language=de' });
  expect(back.payload).toContain('<html lang="en">');
});

test('every page offers its other language, in that language', async () => {
  for (const path of paths) {
    const page = await pageAt(path);
    expect(page).toMatch(/lang=de"[^>]*>Deutsch</);
    expect(page).toMatch(/lang=en"[^>]*>English</);
  }
});

test('a theme chosen in the app applies here, too, including the product’s image', async () => {
  const dark = await pageAt('/', { cookie: 'rapport_theme=dark' });
  expect(dark).toContain('<html lang="en" data-theme="dark">');
  expect(dark).toMatch(/<img src="[^"]*call-dark/);
  expect(dark).not.toContain('call-light');
  expect(await pageAt('/')).toMatch(/media="\(prefers-color-scheme: dark\)"/);
});

test('a URL with a trailing slash redirects to the page', async () => {
  const answer = await get('/features/');
  expect([answer.statusCode, answer.headers.location]).toEqual([308, '/features']);
});

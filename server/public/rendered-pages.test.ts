import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApi } from '#domain/api/openapi/describe.ts';
import { languages } from '#domain/languages.ts';
import { type PublicPageInput, publicPaths, type RenderPublicPage } from '#domain/public/pages.ts';
import { buildPublicPages } from '#server/testing/built-pages.ts';
import { loadBuiltPages } from './built-pages.ts';
import { pagesOfAnyOrigin, pagesOfOneOrigin } from './rendered-pages.ts';

const built = buildPublicPages();
afterAll(() => built.remove());
let render: RenderPublicPage;
let home: PublicPageInput;
beforeAll(async () => {
  const { scripts, ...program } = await loadBuiltPages(built.pagesDir);
  render = program.render;
  home = {
    page: 'home',
    language: 'en',
    theme: null,
    origin: 'http://localhost:3000',
    signedIn: false,
    claims: [{ text: '12 Länder', source: 'http://localhost', status: 'stated' }],
    contact: { sendTo: null, emailRule: '.' },
    privacyUrl: null,
    termsUrl: null,
    api: describeApi(),
    scripts,
  };
});

const origins = ['http://10.0.0.1', 'https://[2001:db8::1]:8443', 'http://localhost', 'null'];
const pages = Object.keys(publicPaths) as (keyof typeof publicPaths)[]; // typed as string by the standard library

test('R6-7: a page for any origin has the bytes that rendering it for that origin makes, compressed or not', () => {
  const pageOf = pagesOfAnyOrigin(render);
  for (const page of pages)
    for (const language of languages)
      for (const origin of origins) {
        const input = { ...home, page, language, origin };
        const { html, gzip } = pageOf(input);
        const expected = render(input);
        expect(html().toString()).toBe(expected);
        expect(gunzipSync(gzip()).toString()).toBe(expected);
        expect(gzip().length).toBeLessThan(gzipSync(expected, { level: 9 }).length * 1.2);
      }
});

test('the contact form says whether messages reach anyone', () => {
  const contact = (sendTo: string | null, language: 'en' | 'de' = 'en') =>
    render({ ...home, page: 'contact', language, contact: { sendTo, emailRule: '.' } });
  expect(contact(null)).toContain('isn’t connected to an inbox yet');
  expect(contact(null)).toContain('Your message wasn’t sent');
  expect(contact(null, 'de')).toContain('mit keinem Postfach verbunden');
  expect(contact('/api/contact')).not.toContain('inbox');
  expect(contact('/api/contact')).toContain('Our team will contact you within 24 hours.');
});

test('R6-7: a page is rendered and compressed once for all origins', () => {
  let renders = 0;
  const pageOf = pagesOfAnyOrigin((input) => {
    renders += 1;
    return render(input);
  });
  const compressed = origins.map((origin) => [origin, pageOf({ ...home, origin }).gzip()] as const);
  expect(renders).toBe(1);
  // Each origin stands between the same compressed parts, in stored blocks that begin with its length.
  const partsOf = ([origin, gzip]: (typeof compressed)[number]) =>
    gzip
      .toString('latin1')
      .split(origin)
      .map((part) => part.slice(0, -5));
  const [first, ...others] = compressed.map(partsOf);
  expect(first?.length).toBeGreaterThan(2);
  for (const parts of others) expect(parts.slice(0, -1)).toEqual(first?.slice(0, -1));
});

test('a browser that kept a page of one origin gets that of another', () => {
  const pageOf = pagesOfAnyOrigin(render);
  const etagOf = (change: Partial<PublicPageInput>) => pageOf({ ...home, ...change }).etag;
  const changes = [{}, { origin: 'http://10.0.0.1' }, { page: 'about' as const }];
  expect(new Set(changes.map(etagOf)).size).toBe(3);
  expect(etagOf({})).toBe(etagOf({}));
});

test('a page of an installation with one origin is rendered once', () => {
  let renders = 0;
  const pageOf = pagesOfOneOrigin((input) => {
    renders += 1;
    return render(input);
  });
  for (let n = 0; n < 3; n += 1)
    expect(gunzipSync(pageOf(home).gzip()).toString()).toBe(render(home));
  expect(renders).toBe(1);
});

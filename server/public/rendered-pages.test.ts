import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('R6-7: a page is rendered once for all origins, and a new origin costs a fraction of compressing it', () => {
  let renders = 0;
  const pageOf = pagesOfAnyOrigin((input) => {
    renders += 1;
    return render(input);
  });
  const html = pageOf(home).html();
  const msOf = (work: () => void) => {
    const from = performance.now();
    work();
    return performance.now() - from;
  };
  const compressing = msOf(() => {
    for (let n = 0; n < 100; n += 1) gzipSync(html, { level: 9 });
  });
  const origins = msOf(() => {
    for (let n = 0; n < 500; n += 1)
      pageOf({ ...home, origin: `http://10.0.${n >> 8}.${n & 255}` }).gzip();
  });
  expect(renders).toBe(1);
  expect(origins).toBeLessThan(compressing);
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

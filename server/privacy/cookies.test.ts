import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cookies } from '#domain/privacy/cookies.ts';

const root = join(import.meta.dirname, '../..');
const sources = ['server', 'web', 'domain'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
);

test('the listed cookies are those that the program sets, by name', () => {
  const setting = sources.filter((text) =>
    /\bsetCookie\(|document\.cookie = |Cookie = '/.test(text),
  );
  const named = setting.flatMap((text) => text.match(/'rapport_[a-z]+'/g) ?? []);
  const listed = cookies.map(({ name }) => `'${name}'`);
  expect([...new Set(named)].sort(), 'list it in domain/privacy/cookies.ts').toEqual(listed.sort());
});

test('code that sets a cookie has its name as a literal, so that the list can be checked', () => {
  const unnamed = sources.filter(
    (text) =>
      /\b(reply|answer)\.setCookie\(|document\.cookie = /.test(text) &&
      !/'rapport_[a-z]+'/.test(text) &&
      !/\b(language|theme)Cookie\b/.test(text),
  );
  expect(unnamed).toEqual([]);
});

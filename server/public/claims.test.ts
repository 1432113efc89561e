import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClaims } from './claims.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-claims-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, 'claims.json');

test('a missing file is created with examples, and read the next time', () => {
  const claims = readClaims(folder);
  expect(claims.map(({ text }) => text)).toEqual([
    '99.9% uptime',
    '500+ teams',
    '100K+ calls',
    '25+ countries',
  ]);
  expect(new Set(claims.map(({ status }) => status))).toEqual(new Set(['example']));
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ claims });
  expect(readClaims(folder)).toEqual(claims);
});

const claim = { text: '12 teams', source: 'our invoices', status: 'stated' };
test.each([
  ['{ "claims": [', /claims\.json cannot be used: .*JSON/],
  [[], /the file must be an object with a list "claims"/],
  [{ claims: 'many' }, /: claims must be a list/],
  [{ claims: [claim, { ...claim, status: 'true' }] }, /: claims\.1\.status must be "measured"/],
  [{ claims: [{ ...claim, source: '' }] }, /: claims\.0\.source must say where the figure comes/],
  [{ claims: [{ ...claim, text: undefined }] }, /: claims\.0\.text must be a text like/],
])('%j is refused with an error message that names the place', (content, sentence) => {
  writeFileSync(file(), typeof content === 'string' ? content : JSON.stringify(content));
  expect(() => readClaims(folder)).toThrow(sentence);
  expect(() => readClaims(folder)).toThrow(/Mend it, or delete it/);
});

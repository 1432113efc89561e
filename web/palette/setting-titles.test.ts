import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingTitles } from './setting-titles.ts';

const web = join(import.meta.dirname, '..');
/** The folders of the settings' pages, and of the cards that they borrow. */
const folders = [
  'ai-settings',
  'billing',
  'embedding',
  'notices',
  'notifications',
  'organizations',
  'privacy',
  'profile',
  'scim',
  'security',
  'speech-models',
  'sso',
];
const borrowed = [
  'consent/capture-cards.tsx',
  'links/organization-waiting-text.tsx',
  'transcripts/speech-service-card.tsx',
];
/** Cards that are there only while a person pays. */
const passing = ['payment.form.title', 'payment.interval.title'];

test('the palette finds each card of the settings by its title', () => {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(web, folder)).map((file) => join(folder, file)),
  );
  const cards = [...inFolders, ...borrowed]
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .flatMap((file) => [
      ...readFileSync(join(web, file), 'utf8').matchAll(/<CardHeader\s+title=\{t\('([\w.]+)'\)/g),
    ])
    .map(([, title = '']) => title);
  expect(cards.length).toBeGreaterThan(20);
  const found = new Set<string>(Object.values(settingTitles).flat());
  expect(cards.filter((title) => !found.has(title) && !passing.includes(title))).toEqual([]);
});

import { expect, test } from 'vitest';
import { settingTitles } from './setting-titles.ts';

const components = import.meta.glob<string>(['../*/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
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
  const cards = Object.entries(components)
    .filter(([path]) => {
      const file = path.replace('../', '');
      return folders.includes(file.split('/')[0] ?? '') || borrowed.includes(file);
    })
    .flatMap(([, source]) => [...source.matchAll(/<CardHeader\s+title=\{t\('([\w.]+)'\)/g)])
    .map(([, title = '']) => title);
  expect(cards.length).toBeGreaterThan(20);
  const found = new Set<string>(Object.values(settingTitles).flat());
  expect(cards.filter((title) => !found.has(title) && !passing.includes(title))).toEqual([]);
});

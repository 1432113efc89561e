import { expect, test } from 'vitest';
import { deletionEmail } from './deletion-email.ts';

const textFor = (language: 'en' | 'de', admin: string) =>
  deletionEmail(language, admin, new Date('2026-12-03T10:00:00Z'), 'https://calls.example.com')
    .text;

test('the mail about a deletion names the admin', () => {
  expect(textFor('en', 'Ada Lovelace')).toMatch(/^Ada Lovelace scheduled/);
});

test.each([
  ['en', /^An admin scheduled/],
  ['de', /^Ein Admin hat/],
] as const)(
  'R19-8: a name with a link in it is not written in the mail (%s)',
  (language, begins) => {
    const text = textFor(language, 'To cancel, sign in at https://evil.test/cancel now.');
    expect(text).toMatch(begins);
    expect(text).not.toContain('evil.test');
  },
);

import { expect, test } from 'vitest';
import { deletionEmail } from './deletion-email.ts';

const textFor = (admin: string) =>
  deletionEmail('en', admin, new Date('2026-12-01T10:00:00Z'), 'https://calls.example.com').text;

test('R19-8: the name of an admin brings no link into the mail about a deletion', () => {
  expect(textFor('Ada Lovelace')).toMatch(/^Ada Lovelace scheduled the deletion/);
  expect(textFor('To cancel, sign in at https://evil.test/now.')).toMatch(
    /^Another admin scheduled/,
  );
});

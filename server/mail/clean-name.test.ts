import { expect, test } from 'vitest';
import { cleanLine, cleanName } from './clean-name.ts';

test.each([
  ['Acme', 'Acme'],
  ['Müller & Söhne GmbH', 'Müller & Söhne GmbH'],
  ['Dr. Weber', 'Dr. Weber'],
  ['St. Mary’s Hospital No. 5', 'St. Mary’s Hospital No. 5'],
  ['Kick-off: 3.5 years', 'Kick-off: 3.5 years'],
  ['  two\t\nlines\r\nBcc: all ', 'two lines Bcc: all'],
  ['bidi \u202Ecnysrever\u202C and \u200Bzero width', 'bidi cnysrever and zero width'],
  ['Ａｃｍｅ', 'Acme'],
])('%j becomes %j', (name, shown) => {
  expect(cleanName(name)).toBe(shown);
});

test.each([
  '',
  ' \u200B\u202E ',
  'Pay at https://evil.test',
  'Pay at evil.test',
  'evil .test',
  'EVIL.TEST now',
  'evil。test',
  'evil．test',
  'www.evil',
  'mail me@evil',
  'xn--e1awd7f.xn--p1ai',
  '//evil',
  'ev\u200Bil.te\u00ADst',
])('%j could become a link or is empty, so a neutral word is used', (name) => {
  expect(cleanName(name)).toBeNull();
});

test('a name has at most 60 characters, and is never cut within one', () => {
  const long = cleanName(`${'a'.repeat(58)}😀😀😀`);
  expect([...(long ?? '')]).toHaveLength(60);
  expect(long).toBe(`${'a'.repeat(58)}😀…`);
});

test('a subject is one line without invisible characters', () => {
  expect(cleanLine('Join\r\nBcc: all@example.com\u2028\u202E x')).toBe(
    'Join Bcc: all@example.com x',
  );
});

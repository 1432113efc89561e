import { expect, test } from 'vitest';
import { fillText } from './fill-text.ts';

const texts = {
  join: { here_one: '{{names}} is here.', here_other: '{{names}} are here.' },
  name: 'Name',
};

test('values are inserted literally, also twice, and with characters that are special elsewhere', () => {
  const twice = { said: '{{a}} and {{a}} of {{b}}' };
  expect(fillText(twice, 'said', { a: '$&', b: '{{a}}' }, 'en')).toBe('$& and $& of {{a}}');
  expect(fillText(twice, 'said', { a: 'x' }, 'en')).toBe('x and x of {{b}}');
});

test('a count selects the plural form of the language', () => {
  const here = (count: number) => fillText(texts, 'join.here', { count, names: 'Ada' }, 'de');
  expect([here(1), here(2), here(0)]).toEqual(['Ada is here.', 'Ada are here.', 'Ada are here.']);
});

test('a path without a text is undefined', () => {
  expect(fillText(texts, 'join', {}, 'en')).toBe(undefined);
  expect(fillText(texts, 'join.nothing.there', {}, 'en')).toBe(undefined);
  expect(fillText(texts, 'name', {}, 'en')).toBe('Name');
});

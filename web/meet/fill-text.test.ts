import { expect, test } from 'vitest';
import { fillText } from './fill-text.ts';

const texts = {
  join: { here_one: '{{names}} is here.', here_other: '{{names}} are here.' },
  name: 'Name',
};

test('values are filled in as they are, also twice and with signs that mean something elsewhere', () => {
  const twice = { said: '{{a}} and {{a}} of {{b}}' };
  expect(fillText(twice, 'said', { a: '$&', b: '{{a}}' }, 'en')).toBe('$& and $& of {{a}}');
  expect(fillText(twice, 'said', { a: 'x' }, 'en')).toBe('x and x of {{b}}');
});

test('a count chooses the form that the language has for it', () => {
  const here = (count: number) => fillText(texts, 'join.here', { count, names: 'Ada' }, 'de');
  expect([here(1), here(2), here(0)]).toEqual(['Ada is here.', 'Ada are here.', 'Ada are here.']);
});

test('a path that leads to no text has none', () => {
  expect(fillText(texts, 'join', {}, 'en')).toBe(undefined);
  expect(fillText(texts, 'join.nothing.there', {}, 'en')).toBe(undefined);
  expect(fillText(texts, 'name', {}, 'en')).toBe('Name');
});

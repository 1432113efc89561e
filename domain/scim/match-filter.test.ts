import { expect, test } from 'vitest';
import { parseFilter } from './filter.ts';
import { checkFilter, matches } from './match-filter.ts';
import { userType } from './user-schema.ts';

const emails = userType.schema.attributes.find(({ name }) => name === 'emails');
const photos = userType.schema.attributes.find(({ name }) => name === 'photos');
if (!emails || !photos) throw new Error('The schema of users has lost its lists');

const work = { value: 'Ada@Example.com', type: 'work', primary: true };

test.each([
  ['type eq "WORK"', true],
  ['type eq "home"', false],
  ['type ne "home"', true],
  ['type ne "work"', false],
  ['TYPE eq "work"', true],
  ['value co "example"', true],
  ['value co "nowhere"', false],
  ['value sw "ada"', true],
  ['value sw "example"', false],
  ['value ew ".com"', true],
  ['value ew "ada"', false],
  ['type gt "home"', true],
  ['type gt "work"', false],
  ['type ge "work"', true],
  ['type ge "x"', false],
  ['type lt "x"', true],
  ['type lt "work"', false],
  ['type le "work"', true],
  ['type le "home"', false],
  ['primary eq true', true],
  ['primary eq "True"', true],
  ['primary eq false', false],
  ['primary ne false', true],
  ['primary ne true', false],
  ['display eq null', true],
  ['type eq null', false],
  ['type ne null', true],
  ['display ne null', false],
  ['display eq "x"', false],
  ['display ne "x"', true],
  ['display co ""', false],
  ['type pr', true],
  ['display pr', false],
  ['type eq "work" and primary eq true', true],
  ['type eq "work" and primary eq false', false],
  ['type eq "home" or primary eq true', true],
  ['type eq "home" or primary eq false', false],
  ['not (type eq "home")', true],
  ['not (type eq "work")', false],
])('%s of a work address is %s', (text, expected) => {
  expect(matches(parseFilter(text), work, emails)).toBe(expected);
});

test('a truth that is missing counts as false', () => {
  expect(matches(parseFilter('primary eq false'), { value: 'x' }, emails)).toBe(true);
});

test('a bare value is compared as `value`', () => {
  expect(matches(parseFilter('value eq "a@b.example"'), 'a@b.example', emails)).toBe(true);
});

test('parts that are exact in case are compared as they are', () => {
  const picture = { value: 'https://x/A' };
  expect(matches(parseFilter('value eq "https://x/A"'), picture, photos)).toBe(true);
  expect(matches(parseFilter('value eq "https://x/a"'), picture, photos)).toBe(false);
});

test('true and false have no order', () => {
  for (const text of ['primary gt true', 'primary co true'])
    expect(() => matches(parseFilter(text), work, emails)).toThrow(
      'True and false are only equal or not.',
    );
});

test('a filter that names a part that the attribute lacks is refused, however deep', () => {
  for (const text of ['shoe eq 1', 'type eq "x" and shoe pr', 'not (shoe pr)', 'value[type pr]'])
    expect(() => checkFilter(parseFilter(text), emails), text).toThrow();
  for (const text of ['type pr', 'type eq "x" or not (value pr)'])
    expect(() => checkFilter(parseFilter(text), emails), text).not.toThrow();
});

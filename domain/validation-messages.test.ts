import { expect, test } from 'vitest';
import { z } from 'zod';
import { validationMessage } from './validation-messages.ts';

const said = (schema: z.ZodType, value: unknown) =>
  z
    .safeParse(schema, value, { error: validationMessage })
    .error?.issues.map(({ message }) => message);

test.each([
  ['a missing field', z.object({ topic: z.string() }), {}, 'This field is required.'],
  ['another type', z.string(), 5, 'Please send a text here.'],
  ['a fraction', z.int(), 1.5, 'Please send a whole number here.'],
  ['an empty text', z.string().min(1), '', 'Please fill in this field.'],
  ['a short text', z.string().min(8), 'x', 'Please send at least 8 characters.'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'Please send at most 1 entry.'],
  ['a large number', z.number().max(10), 11, 'Please send a number of at most 10.'],
  ['a malformed ID', z.uuid(), 'x', 'Please send an ID here.'],
  [
    'a malformed time',
    z.iso.datetime(),
    'now',
    'Please send a time such as 2026-01-31T09:30:00Z here.',
  ],
  ['an unknown choice', z.enum(['a', 'b']), 'c', 'Please choose one of these: a, b.'],
  ['an unknown field', z.strictObject({}), { x: 1 }, 'There is no field named x here.'],
  [
    'a broken pattern',
    z.string().regex(/^a$/),
    'b',
    'Please send a text of the expected form here.',
  ],
  ['none of several forms', z.union([z.string(), z.null()]), 1, 'This value isn’t allowed here.'],
])('%s has our own message', (_, schema, value, message) => {
  expect(said(schema, value)).toEqual([message]);
});

test('a schema’s own message takes precedence', () => {
  expect(said(z.string('Please enter a topic.'), 5)).toEqual(['Please enter a topic.']);
});

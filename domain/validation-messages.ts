import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns the message for a field whose schema has none of its own. */
export function validationMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This field is required.'
        : `Please send ${namesOfTypes[issue.expected] ?? 'another kind of value'} here.`;
    case 'too_small':
      return outOfRange(issue.origin, 'at least', Number(issue.minimum));
    case 'too_big':
      return outOfRange(issue.origin, 'at most', Number(issue.maximum));
    case 'invalid_format':
      return `Please send ${namesOfFormats[issue.format] ?? 'a text of the expected form'} here.`;
    case 'invalid_value':
      return `Please choose one of these: ${issue.values.map(String).join(', ')}.`;
    case 'not_multiple_of':
      return `Please send a multiple of ${issue.divisor} here.`;
    case 'unrecognized_keys':
      return `There is no field named ${issue.keys.join(', ')} here.`;
    default:
      return 'This value isn’t allowed here.';
  }
}

const namesOfTypes: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const namesOfFormats: Record<string, string> = {
  uuid: 'an ID',
  email: 'an email address',
  url: 'a web address',
  datetime: 'a time such as 2026-01-31T09:30:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time of day such as 09:30',
  base64: 'base64',
};

const unitsOf: Record<string, [one: string, more: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

function outOfRange(origin: string, bound: 'at least' | 'at most', limit: number): string {
  const [one, more] = unitsOf[origin] ?? ['', ''];
  if (!one) return `Please send a number of ${bound} ${limit}.`;
  if (bound === 'at least' && limit === 1) return 'Please fill in this field.';
  return `Please send ${bound} ${limit} ${limit === 1 ? one : more}.`;
}

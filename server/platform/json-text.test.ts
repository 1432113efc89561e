import { expect, test } from 'vitest';
import { withoutControls } from './json-text.ts';

const through = (value: unknown) => JSON.parse(withoutControls(JSON.stringify(value)));

test('R32-C4: control characters are removed, and everything else stays', () => {
  const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('');
  expect(through({ text: `a${controls}b` })).toEqual({ text: 'a\0\b\t\n\f\rb' });
  const kept = [
    '\\u0001',
    '\\\\u0001',
    '\\',
    'C:\\u0012',
    '"',
    '\u007f',
    '東\u2028',
    '\ud83d\ude00',
    'é',
  ];
  expect(through(kept)).toEqual(kept);
  expect(JSON.parse(withoutControls('["\\u000B\\u001F\\u00e9\\\\\\u0001"]'))).toEqual(['é\\']);
  expect(withoutControls('["\\u0')).toBe('["\\u0');
});

import { expect, test } from 'vitest';
import { emailAddress } from './text.ts';

const email = emailAddress('wrong');

test('an address is trimmed and in lower case', () => {
  expect(email.parse(' Ada@Example.com ')).toBe('ada@example.com');
});

test.each(['\u212aim@example.com', 'kim@\u212aelvin.example', '\u0130da@example.com'])(
  'R24-A4: %s does not become the address of another mailbox',
  (address) => {
    const { success, error } = email.safeParse(address);
    expect(success).toBe(false);
    expect(error?.issues.map(({ message }) => message)).toEqual(['wrong']);
  },
);

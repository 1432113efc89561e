import { expect, test } from 'vitest';
import { addressOf } from './connection-test.ts';

test.each([
  ['stun:stun.example.com:3478', 'stun.example.com:3478'],
  ['turn:turn.example.com:3478', 'turn.example.com:3478, UDP'],
  ['turn:turn.example.com:3478?transport=tcp', 'turn.example.com:3478, TCP'],
  ['turns:turn.example.com:443?transport=tcp', 'turn.example.com:443, TLS'],
])('the address of %s is shown without STUN or TURN', (url, shown) => {
  expect(addressOf(url)).toBe(shown);
});

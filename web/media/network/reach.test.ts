import { expect, test } from 'vitest';
import { reachOf } from './reach.ts';

test('with a STUN or TURN server, a call reaches everywhere', () => {
  expect(reachOf(1, 'calls.example.com')).toBe('everywhere');
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'on %s there is no warning about other networks',
  (own) => {
    expect(reachOf(0, own)).toBe('thisMachine');
  },
);

test.each(['192.168.1.5', 'calls.example.com', 'localhost.example.com'])(
  'on %s without a STUN or TURN server, a call reaches only this network',
  (hostname) => {
    expect(reachOf(0, hostname)).toBe('thisNetwork');
  },
);

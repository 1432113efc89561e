import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { iceServers } from './ice-servers.ts';

const secret = 'shared with coturn';
const urls = [
  'turn:turn.example.com:3478?transport=udp',
  'turn:turn.example.com:3478?transport=tcp',
  'turns:turn.example.com:443?transport=tcp',
];
const now = Date.parse('2026-03-01T12:00:00Z');
const hour = 3600;

test('without STUN_URL and TURN_URL there are no ICE servers', () => {
  expect(iceServers(readConfig({}), 'ada')).toEqual([]);
});

test('every TURN_URL, by UDP, TCP and TLS, has expiring credentials of one participant', () => {
  const config = readConfig({ TURN_URL: urls.join(', '), TURN_SECRET: secret });
  const [turn] = iceServers(config, 'ada', now);
  expect(turn?.urls).toEqual(urls);
  const [expiry, participant] = (turn?.username ?? '').split(':');
  expect(participant).toBe('ada');
  expect(Number(expiry)).toBe(now / 1000 + 12 * hour);
});

test('the credential is base64(HMAC-SHA1(TURN_SECRET, username))', () => {
  const config = readConfig({ TURN_URL: urls[0], TURN_SECRET: secret });
  const [turn] = iceServers(config, 'ada', now);
  const expected = createHmac('sha1', secret).update(`${turn?.username}`).digest('base64');
  expect(turn?.credential).toBe(expected);
});

test('STUN servers are listed beside the TURN servers, without credentials', () => {
  const config = readConfig({
    STUN_URL: 'stun:a.example.com,stun:b.example.com',
    TURN_URL: urls[0],
    TURN_SECRET: secret,
  });
  const [stun, turn] = iceServers(config, 'ada', now);
  expect(stun).toEqual({ urls: ['stun:a.example.com', 'stun:b.example.com'] });
  expect(turn?.urls).toEqual([urls[0]]);
});

test('a TURN_URL that browsers refuse is refused at the start', () => {
  const bad = { TURN_URL: 'https://turn.example.com', TURN_SECRET: secret };
  expect(() => readConfig(bad)).toThrow('TURN_URL');
  expect(() => readConfig({ TURN_URL: urls[0] })).toThrow('TURN_URL and TURN_SECRET');
});

import { expect, test } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

test('without environment variables every setting has its default', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '0.0.0.0',
    DATA_DIR: './data',
    VIDEO_PROVIDER: 'builtin',
    SIGNUP: 'open',
    RATE_LIMIT_SCALE: 1,
    LOG_LEVEL: 'info',
  });
});

test('an empty value counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '3000.5'],
  ['PUBLIC_URL', 'calls.example.com'],
  ['PUBLIC_URL', 'ftp://calls.example.com'],
  ['ALLOWED_HOSTS', 'https://calls.lan'],
  ['ALLOWED_HOSTS', 'calls.lan, *.lan'],
  ['ALLOWED_HOSTS', '10.0.0.7'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'localhost:5432'],
  ['REDIS_URL', 'localhost:6379'],
  ['SECRET_KEY', 'too short'],
  ['VIDEO_PROVIDER', 'zoom'],
  ['VIDEO_PROVIDER', 'daily'],
  ['DAILY_API_BASE', 'http://api.daily.co/v1'],
  ['DAILY_URL', 'example.daily.co'],
  ['DAILY_URL', 'https://key@example.daily.co'],
  ['DAILY_WEBHOOK_SECRET', 'not base64!'],
  ['STUN_URL', 'stun.example.com'],
  ['MESH_LIMIT', '1'],
  ['MESH_LIMIT', '5'],
  ['LIVEKIT_URL', 'livekit.example.com'],
  ['LIVEKIT_URL', 'wss://one.example.com, https://two.example.com'],
  ['STUN_URL', 'stun:one.example.com, https://two.example.com'],
  ['SIGNUP', 'maybe'],
  ['CONTACT_INBOX', 'sales'],
  ['PRIVACY_URL', '/privacy'],
  ['TERMS_URL', 'javascript:alert(1)'],
  ['TRUSTED_PROXIES', 'the proxy'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['RATE_LIMIT_SCALE', '0'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^  ${name}: `, 'm'));
});

test('TURN_URL is validated and requires its secret', () => {
  expect(() => readConfig({ TURN_URL: 'turn.example.com', TURN_SECRET: 's' })).toThrow(
    /TURN_URL: /,
  );
  expect(() => readConfig({ TURN_URL: 'turn:turn.example.com' })).toThrow(
    /TURN_URL and TURN_SECRET/,
  );
  expect(() => readConfig({ TLS_CERT: 'cert.pem' })).toThrow(/TLS_CERT and TLS_KEY: set both/);
});

test('SMTP_URL without PUBLIC_URL is refused, and the error names the missing setting', () => {
  const SMTP_URL = 'smtp://user:hidden-word@mail.example.com:587';
  expect(() => readConfig({ SMTP_URL })).toThrow(ConfigError);
  expect(() => readConfig({ SMTP_URL })).toThrow(/^ {2}PUBLIC_URL: set it to .*SMTP_URL/m);
  expect(() => readConfig({ SMTP_URL })).not.toThrow(/hidden-word/);
  const PUBLIC_URL = 'https://calls.example.com';
  expect(readConfig({ SMTP_URL, PUBLIC_URL })).toMatchObject({ SMTP_URL, PUBLIC_URL });
});

test('LiveKit’s three settings are required together, and its engine needs them', () => {
  const set = {
    LIVEKIT_URL: 'wss://a.example.com, wss://b.example.com',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a secret that nobody is told',
  };
  expect(readConfig({ VIDEO_PROVIDER: 'livekit', ...set })).toMatchObject(set);
  for (const missing of Object.keys(set)) {
    const rest = { ...set, [missing]: '' };
    expect(() => readConfig(rest)).toThrow(/set all three, or none/);
    expect(() => readConfig(rest)).not.toThrow(/nobody is told/);
  }
  expect(() => readConfig({ VIDEO_PROVIDER: 'livekit' })).toThrow(/VIDEO_PROVIDER: livekit needs/);
});

test('LiveKit’s Egress needs calls by LiveKit, and storage that it shares with Rapport', () => {
  const set = {
    LIVEKIT_URL: 'wss://a.example.com',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a secret that nobody is told',
    LIVEKIT_EGRESS: 'on',
  };
  expect(() => readConfig(set)).toThrow(/Set VIDEO_PROVIDER=livekit/);
  const calls = { ...set, VIDEO_PROVIDER: 'livekit' };
  expect(() => readConfig(calls)).toThrow(/set FILES_S3_BUCKET.* or LIVEKIT_EGRESS_FOLDER/);
  expect(() => readConfig({ ...calls, LIVEKIT_EGRESS_FOLDER: 'recordings/' })).toThrow(
    /give a path/,
  );
  const bucket = { FILES_S3_BUCKET: 'b', FILES_S3_KEY_ID: 'k', FILES_S3_SECRET_KEY: 's' };
  for (const storage of [{ LIVEKIT_EGRESS_FOLDER: '/recordings' }, bucket]) {
    expect(readConfig({ ...calls, ...storage })).toMatchObject(storage);
  }
});

test('one error lists every bad variable, and where to read more', () => {
  expect(() => readConfig({ PORT: 'x', SIGNUP: 'y', LOG_LEVEL: 'z' })).toThrow(
    /PORT: .*SIGNUP: .*LOG_LEVEL: .*npm run config/s,
  );
});

test.each([
  ['PUBLIC_URL', 'https://calls.example.com/', 'https://calls.example.com'],
  ['ALLOWED_HOSTS', 'calls.lan, rapport:3000', undefined],
  ['DATABASE_URL', 'postgresql://u:p%40@[::1]:5432/db?sslmode=require', undefined],
  ['REDIS_URL', 'rediss://:secret@redis.example.com:6380/1', undefined],
  ['STUN_URL', 'stun:stun.example.com:3478,stuns:[2001:db8::1]', undefined],
  ['TRUSTED_PROXIES', '127.0.0.1, 10.0.0.0/8,::1,fd00::/8, loopback', undefined],
  ['RATE_LIMIT_SCALE', '2.5', 2.5],
])('%s=%s is accepted', (name, value, read) => {
  expect(readConfig({ [name]: value })).toMatchObject({ [name]: read ?? value });
});

test('every setting has a description for npm run config', () => {
  for (const [name, setting] of Object.entries(settings.shape)) {
    expect([name, setting.description]).toEqual([name, expect.stringMatching(/\w.*\.$/)]);
  }
});

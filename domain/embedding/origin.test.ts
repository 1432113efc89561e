import { expect, test } from 'vitest';
import { originOf } from './origin.ts';

test.each([
  ['https://www.example.com', 'https://www.example.com'],
  [' https://WWW.Example.com/ ', 'https://www.example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['https://example.com:8443', 'https://example.com:8443'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://10.0.0.7', 'https://10.0.0.7'],
  ['https://[::1]:8443', 'https://[::1]:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1/', 'http://127.0.0.1'],
  ['http://[::1]:5173', 'http://[::1]:5173'],
])('%s is the origin %s', (written, origin) => {
  expect(originOf(written)).toBe(origin);
});

test.each([
  '',
  '*',
  'example.com',
  'http://example.com',
  'http://localhost.example.com',
  'http://example.com/localhost',
  'http://localhost@example.com',
  'http://10.0.0.7',
  'ftp://localhost',
  'https://*.example.com',
  'https://*',
  'https:',
  'https://example.com/shop',
  'https://example.com?x=1',
  'https://example.com#x',
  'https://me@example.com',
  'https://example.com;script-src *',
  'https://example.com, https://evil.example',
  "https://example.com' 'unsafe-inline",
  'https://a b',
  'https://exa\nmple.com/x',
  'data:text/html,x',
  'javascript:alert(1)',
  "'self'",
])('%j is not an origin that can be listed', (written) => {
  expect(originOf(written)).toBe(null);
});

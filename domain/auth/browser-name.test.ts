import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
test.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge',
    'Windows',
  ],
  [
    `${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0 Safari/537.36`,
    'Chrome',
    'Linux',
  ],
  [
    `${mozilla} (Linux; Android 15) ${webkit} Chrome/140.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0`,
    'Firefox',
    'macOS',
  ],
  ['curl/8.5.0', null, null],
])('%s is identified by its common name', (userAgent, browser, system) => {
  expect(browserName(userAgent)).toEqual({ browser, system });
});

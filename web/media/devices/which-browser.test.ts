import { expect, test } from 'vitest';
import { siteHelpOf, whichBrowser } from './which-browser.ts';

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 0, 'chrome', 'linux', 'chrome'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/156.0.0.0`,
    0,
    'edge',
    'windows',
    'edge',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    0,
    'firefox',
    'linux',
    'firefox',
  ],
  [`${mac} Version/26.0 Safari/605.1.15`, 0, 'safari', 'mac', 'safari'],
  [`${mac} Version/26.0 Safari/605.1.15`, 5, 'safari', 'ios', 'ios'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`, 5, 'chrome', 'android', 'android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1',
    5,
    'chrome',
    'ios',
    'ios',
  ],
  ['something new', 0, 'other', 'linux', 'other'],
])(
  '%s with %i touch points gets the instructions for its browser',
  (agent, fingers, browser, system, help) => {
    const program = whichBrowser(agent, fingers);
    expect(program).toEqual({ browser, system });
    expect(siteHelpOf(program)).toBe(help);
  },
);

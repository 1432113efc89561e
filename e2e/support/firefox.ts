import { existsSync } from 'node:fs';
import { type Browser, launch, type Page } from 'puppeteer-core';

const executables = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

export function findFirefox(): string | undefined {
  const named = process.env.FIREFOX;
  return [...(named ? [named] : []), ...executables].find((path) => existsSync(path));
}

/**
 * Opens Debian's Firefox with a fake camera and microphone, by WebDriver BiDi: playwright supports
 * only its own build of Firefox.
 */
export async function openFirefox(): Promise<{ browser: Browser; page: Page }> {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('There is no Firefox: apt-get install firefox-esr');
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      'media.autoplay.default': 0,
      // On a machine with only a loopback interface there are no other candidates.
      'media.peerconnection.ice.loopback': true,
      'media.peerconnection.ice.obfuscate_host_addresses': false,
    },
  });
  return { browser, page: await browser.newPage() };
}

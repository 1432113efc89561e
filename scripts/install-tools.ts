import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from '../e2e/support/browser.ts';
import { findFirefox } from '../e2e/support/firefox.ts';
import { hasNetworkTools, mayMakeNamespaces } from '../e2e/support/namespaces.ts';
import { hasXmlsec } from '../e2e/support/saml-provider.ts';
import { hasTurnServer } from '../e2e/support/turn-server.ts';
import { installSamlProvider } from './install-saml-provider.ts';
import { installScimTester } from './install-scim-tester.ts';

const hasPostgres = () => existsSync('/usr/lib/postgresql');
const hasRedis = () => existsSync('/usr/bin/redis-server');

/**
 * Sees to it that the browser tests have browsers and a TURN server, and the server tests a Redis, and a
 * PostgreSQL that is not ours: by apt where that may be done, else it says what to install.
 * @throws when there is no browser and none can be installed
 */
export function installTools(log: (line: string) => void): void {
  installScimTester(log);
  installSamlProvider(log);
  const missing = [
    ...(findBrowser() ? [] : ['chromium']),
    ...(hasPostgres() ? [] : ['postgresql']),
    ...(hasRedis() ? [] : ['redis-server']),
    ...(hasTurnServer() ? [] : ['coturn']),
    ...(hasXmlsec() ? [] : ['xmlsec1']),
    ...(findFirefox() ? [] : ['firefox-esr']),
    ...(hasNetworkTools() ? [] : ['iproute2', 'nftables']),
  ];
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    log(`Installing ${missing.join(' and ')} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...args: string[]) =>
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    run('update', '-qq');
    run('install', '-y', '-qq', '--no-install-recommends', ...missing);
  }
  if (!findBrowser()) {
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM to its path.',
    );
  }
  if (!findFirefox()) log('No Firefox: the guest’s story is tested in Chromium alone.');
  if (!hasTurnServer()) log('No coturn: calls by relay only are not tested.');
  if (!mayMakeNamespaces()) {
    log(
      'No network namespaces (they take root, iproute2 and nftables): bad networks are not tested.',
    );
  }
  if (!hasPostgres()) log('No PostgreSQL besides our own: the server tests run on our own alone.');
}

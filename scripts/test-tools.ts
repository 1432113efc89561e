import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';
import { hasMaildev, maildevFolder, maildevPackage } from '#server/testing/maildev.ts';
import { minioExecutable, minioVersion } from '#server/testing/minio.ts';
import {
  hasFlite,
  hasPocketsphinx,
  recognizerFolder,
  recognizerPackages,
  recognizerPython,
} from '#server/testing/recognizer.ts';
import {
  scimTesterFolder,
  scimTesterPackages,
  scimTesterPython,
} from '#server/testing/scim-tester.ts';
import { stripeMockExecutable, stripeMockVersion } from '#server/testing/stripe-mock.ts';
import { findBrowser, findShell } from '../e2e/support/browser.ts';
import { findFirefox } from '../e2e/support/firefox.ts';
import { liveKitExecutable, liveKitVersion } from '../e2e/support/livekit-server.ts';
import { hasNetworkTools } from '../e2e/support/namespaces.ts';
import { hasXmlsec, samlFolder, samlPython } from '../e2e/support/saml-provider.ts';
import { toxiproxyExecutable, toxiproxyVersion } from '../e2e/support/toxiproxy.ts';
import { hasTurnServer } from '../e2e/support/turn-server.ts';
import { buildGoProgram } from './build-go-program.ts';
import { installNpmTool } from './install-npm-tool.ts';
import { installPythonTool } from './install-python-tool.ts';

/** A tool that the tests need besides the packages of npm. */
export interface TestTool {
  name: string;
  isThere(): boolean;
  /** What is not tested without it. */
  untested: string;
  /** Debian packages that contain it, or that its installation needs. */
  debian: readonly string[];
  /** Installs it, in addition to those packages. */
  install?(log: (line: string) => void): Promise<void>;
  /** The same as an instruction for people, and how long it takes. */
  how?: string;
}

const schemathesisVersion = '4.32.5';
const schemathesisFolder = cachedTool(`schemathesis-${schemathesisVersion}`);
/** Generates requests from the API's description. Pinned, since each version has other checks. */
export const schemathesisProgram = join(schemathesisFolder, 'bin', 'schemathesis');
export const hasSchemathesis = () => existsSync(schemathesisProgram);

export const hasPostgres = () => existsSync('/usr/lib/postgresql');
const python = ['python3', 'python3-venv', 'python3-pip'];

/** A program from a Debian package. */
const debianTool = (
  name: string,
  debian: string[],
  isThere: () => boolean,
  untested: string,
): TestTool => ({ name, debian, isThere, untested });

/** A Python program in a separate environment in the cache folder. */
const pythonTool = (
  name: string,
  untested: string,
  at: { folder: string; program: string; packages: readonly string[] },
): TestTool => ({
  name,
  untested,
  debian: python,
  isThere: () => existsSync(at.program),
  install: () => installPythonTool(at.folder, at.packages),
  how: `into ${at.folder}, by pip, half a minute`,
});

/** A server that is built from its Go module into the cache folder. */
const goTool = (
  name: string,
  untested: string,
  built: { module: string; executable: string; takes: string },
): TestTool => ({
  name,
  untested,
  debian: [],
  isThere: () => existsSync(built.executable),
  install: (log) => buildGoProgram(built.module, built.executable, log),
  how: `into ${built.executable}, by Go, ${built.takes}`,
});

export const testTools: readonly TestTool[] = [
  debianTool('Chromium', ['chromium'], () => findBrowser() !== undefined, 'pages and calls'),
  debianTool(
    'Chromium’s headless shell',
    ['chromium-headless-shell'],
    () => findShell() !== findBrowser() || process.env.CHROMIUM !== undefined,
    'nothing less, but calls take longer',
  ),
  debianTool('PostgreSQL', ['postgresql'], hasPostgres, 'a PostgreSQL besides the embedded one'),
  debianTool(
    'Redis',
    ['redis-server'],
    () => existsSync('/usr/bin/redis-server'),
    'several processes',
  ),
  debianTool('coturn', ['coturn'], hasTurnServer, 'calls by relay only'),
  debianTool('xmlsec', ['xmlsec1'], hasXmlsec, 'SAML in a browser'),
  debianTool(
    'iproute2 and nftables',
    ['iproute2', 'nftables'],
    hasNetworkTools,
    'bad networks (they take root, too)',
  ),
  pythonTool('scim2-tester', 'SCIM from outside', {
    folder: scimTesterFolder,
    program: scimTesterPython,
    packages: scimTesterPackages,
  }),
  pythonTool('pysaml2', 'SAML in a browser', {
    folder: samlFolder,
    program: samlPython,
    packages: ['pysaml2==7.5.5'],
  }),
  pythonTool('faster-whisper with tiny.en', 'transcripts of real speech', {
    folder: recognizerFolder,
    program: recognizerPython,
    packages: recognizerPackages,
  }),
  pythonTool('Schemathesis', 'made-up requests', {
    folder: schemathesisFolder,
    program: schemathesisProgram,
    packages: [`schemathesis==${schemathesisVersion}`],
  }),
  {
    name: maildevPackage,
    untested: 'mails in MailDev',
    debian: [],
    isThere: hasMaildev,
    install: () => installNpmTool(maildevFolder, maildevPackage),
    how: `into ${maildevFolder}, by npm, half a minute`,
  },
  goTool(`LiveKit ${liveKitVersion}`, 'calls by LiveKit', {
    module: `github.com/livekit/livekit-server/cmd/server@v${liveKitVersion}`,
    executable: liveKitExecutable(),
    takes: 'four minutes or so',
  }),
  goTool(`toxiproxy ${toxiproxyVersion}`, 'connections that go bad', {
    module: `github.com/Shopify/toxiproxy/v2/cmd/server@v${toxiproxyVersion}`,
    executable: toxiproxyExecutable(),
    takes: 'half a minute or so',
  }),
  goTool(`stripe-mock ${stripeMockVersion}`, 'requests to Stripe against its API description', {
    module: `github.com/stripe/stripe-mock@v${stripeMockVersion}`,
    executable: stripeMockExecutable(),
    takes: 'half a minute or so',
  }),
];

/** What `npm run test:full` needs besides. */
export const toolsOfFullRun: readonly TestTool[] = [
  // For the tests only, as a program of its own: its license is the AGPL.
  goTool('MinIO', 'recordings in a real S3-compatible storage', {
    module: `github.com/minio/minio@${minioVersion}`,
    executable: minioExecutable(),
    takes: 'five minutes or so',
  }),
  debianTool(
    'Firefox',
    ['firefox-esr'],
    () => findFirefox() !== undefined,
    'the guest’s story in Firefox',
  ),
  debianTool('flite', ['flite'], hasFlite, 'calls with real speech'),
  debianTool(
    'pocketsphinx',
    ['pocketsphinx', 'pocketsphinx-en-us'],
    hasPocketsphinx,
    'transcripts of real speech where Whisper is missing',
  ),
];

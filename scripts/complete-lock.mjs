#!/usr/bin/env node
/**
 * Completes package-lock.json after `npm install`.
 *
 * npm silently leaves an optional platform package out of the lock if the registry does not have it,
 * and `npm ci` then refuses the lock ("Missing: … from lock file"). A placeholder of version, os, cpu
 * and optional is enough: npm skips it on other platforms and fetches it by name and version on the
 * right one.
 *
 *   node scripts/complete-lock.mjs           adds what is missing
 *   node scripts/complete-lock.mjs --check   only lists what is missing, exit code 1
 */
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const platforms = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  linuxmusl: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win: 'win32',
  win32: 'win32',
  windows: 'win32',
};
const processors = {
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
};
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/** Returns the platform that a name such as `@scope/tool-linux-arm64-musl` describes. */
function platformOf(name) {
  const words = name.replace(/^@[^/]+\//, '').split('-');
  const pick = (table) => {
    const word = words.findLast((each) => Object.hasOwn(table, each));
    return word === undefined ? undefined : [table[word]];
  };
  const os = pick(platforms);
  const libc = words.includes('linuxmusl') ? ['musl'] : pick(libraries);
  return { cpu: pick(processors), libc: os?.[0] === 'linux' ? libc : undefined, os };
}

/** Returns the lock's key for the package `name` that Node would find from the package at `path`. */
function findInLock(packages, path, name) {
  for (let folder = path; ; ) {
    const key = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[key] !== undefined) return key;
    if (folder === '') return undefined;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
}

function completed(packages) {
  const added = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (findInLock(packages, path, name) !== undefined || added.has(`node_modules/${name}`))
        continue;
      const { cpu, libc, os } = platformOf(name);
      if (os === undefined && cpu === undefined) {
        throw new Error(
          `${name} (an optional dependency of ${path || 'this package'}) is missing in package-lock.json, and its name ` +
            'does not say for which platform it is: add it by hand, or pin the version before.',
        );
      }
      added.set(`node_modules/${name}`, {
        version: range.replace(/^[\^~=v]+/, ''),
        ...(cpu && { cpu }),
        ...(entry.dev && { dev: true }),
        ...(libc && { libc }),
        optional: true,
        ...(os && { os }),
      });
    }
  }
  return added;
}

const text = readFileSync(lockFile, 'utf8');
const lock = JSON.parse(text);
const added = completed(lock.packages);
const names = [...added.keys()].map((key) => key.slice('node_modules/'.length)).join(', ');

if (added.size === 0) {
  console.log('package-lock.json is complete.');
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${names}. Run: node scripts/complete-lock.mjs`);
  process.exitCode = 1;
} else {
  const [root, ...others] = [...Object.entries(lock.packages), ...added];
  others.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries([root, ...others]);
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: added ${names}.`);
}

/**
 * Runs before `npm start` and `npm test`, on any version of Node and with nothing installed: prints
 * a message if Node is too old, and installs the packages if node_modules was not installed from
 * this package-lock.json. It uses no `node:` imports and no syntax newer than modules, so that an
 * old Node can print that message.
 */
/* biome-ignore-all lint/style/useNodejsImportProtocol: see above */
import { spawn } from 'child_process';
import { createHash } from 'crypto';
import { existsSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-lock');

function nodeIsTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19);
}

function readOrEmpty(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Contains the platform, because a node_modules copied to another machine has the wrong binaries. */
function stampOf(lock) {
  const hash = createHash('sha256').update(lock).digest('hex');
  return `${process.platform}-${process.arch} ${hash}\n`;
}

/**
 * Returns whether npm has installed this lock, according to its own record. Also true after a
 * manual `npm install`, so that adding a package does not install everything twice.
 */
function isInstalled(lock) {
  const note = readOrEmpty(join(modules, '.package-lock.json'));
  if (note === '') return false;
  const wanted = JSON.parse(lock).packages;
  const present = JSON.parse(note).packages;
  const same = (a, b) => a && b && a.version === b.version && a.integrity === b.integrity;
  // npm leaves out what only other platforms need, so optional packages are checked only if they
  // surely apply.
  const needed = (entry) =>
    !entry.optional ||
    (entry.integrity &&
      !entry.libc &&
      (entry.os || []).includes(process.platform) &&
      (entry.cpu || []).includes(process.arch));
  return (
    Object.keys(present).every((key) => same(wanted[key], present[key])) &&
    Object.keys(wanted).every(
      (key) => key === '' || !needed(wanted[key]) || same(wanted[key], present[key]),
    )
  );
}

/** A failure is ignored: packages in a read-only folder are checked again at the next start. */
function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, stamp);
  } catch {
    return;
  }
}

/** npm's message is for programmers; this one says what to do. */
function explain(output) {
  const causes = [
    [/ENOSPC/, 'The disk is full. Free 700 MB and start again.'],
    [/EROFS|EACCES|EPERM/, `${root} cannot be written. Start as a user who may write there.`],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
      'The package registry cannot be reached. Check the network (and `npm config get registry`) and start again.',
    ],
    [
      /EUSAGE/,
      'package.json and package-lock.json disagree. Run: npm install && node scripts/complete-lock.mjs',
    ],
    [/E404|ETARGET/, 'The registry lacks a package that Rapport needs; npm names it above.'],
    [
      /EINTEGRITY/,
      'A downloaded package is damaged. Run: npm cache clean --force, and start again.',
    ],
  ];
  const cause = causes.find(([pattern]) => pattern.test(output));
  return cause ? cause[1] : 'npm says why above.';
}

function npmCommand() {
  // npm reports the Node and the program that run it; the Node in node_modules is about to be
  // deleted.
  const program = process.env.npm_execpath;
  const isNpm = program !== undefined && /npm-cli\.c?js$/.test(program);
  const args = [
    'ci',
    '--loglevel=error',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
  ];
  if (isNpm) return [process.env.npm_node_execpath || process.execPath, [program, ...args]];
  return ['npm', args];
}

function install(done) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const [command, args] = npmCommand();
  let output = '';
  console.log('Installing packages (about half a minute the first time) …');
  const progress = setInterval(() => console.log(`  … still installing, ${seconds()}`), 10_000);
  const finish = (problem) => {
    clearInterval(progress);
    done(problem, output, seconds());
  };
  const npm = spawn(command, args, {
    cwd: root,
    shell: process.platform === 'win32' && command === 'npm',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const collect = (chunk) => {
    output += chunk;
  };
  npm.stdout.on('data', collect);
  npm.stderr.on('data', collect);
  npm.on('error', () => finish('npm cannot be started. Install npm, and start again.'));
  npm.on('close', (code) => finish(code === 0 ? undefined : explain(output)));
}

function fail(problem, output) {
  // Past this line EUSAGE prints all of npm's options.
  const said = output.split(/npm error\s*\nnpm error Clean install a project/)[0].trim();
  console.error(`${said}\n\nThe packages could not be installed. ${problem}`);
  process.exit(1);
}

function prepare() {
  if (nodeIsTooOld()) {
    console.error(
      `Rapport needs Node 20.19 or newer to start; this is ${process.versions.node}. Get one at https://nodejs.org.`,
    );
    process.exit(1);
  }
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = stampOf(lock);
  if (readOrEmpty(stampFile) === stamp) return;
  if (isInstalled(lock)) {
    writeStamp(stamp);
    return;
  }
  install((problem, output, duration) => {
    if (problem !== undefined) fail(problem, output);
    // On a full disk npm ends with "added 397 packages", exit code 0, and half of the files.
    if (!isInstalled(lock)) {
      fail(
        'npm left some out, most likely since the disk is full. See that 700 MB are free.',
        output,
      );
    }
    console.log(`Packages installed in ${duration}.`);
    writeStamp(stamp);
  });
}

prepare();

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const repository = dirname(import.meta.dirname);
const vite = join(repository, 'node_modules', 'vite', 'bin', 'vite.js');

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function hashInputs(root: string): string {
  const settings = readdirSync(root).filter((name) =>
    /^(vite.*\.(ts|mjs)|package-lock\.json)$/.test(name),
  );
  const files = [
    ...settings.map((name) => join(root, name)),
    ...filesBelow(join(root, 'web')),
    ...filesBelow(join(root, 'domain')),
    ...filesBelow(join(root, 'sdk')),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The browser programs, each built separately so that none contains code that only another one needs. */
const configsIn = (root: string) =>
  readdirSync(root)
    .filter((name) => /^vite(\.\w+)?\.config\.(ts|mjs)$/.test(name))
    .sort();

/** Runs in a separate process: Vite would stay in the server's memory, and sets NODE_ENV. */
async function runVite(root: string, config: string, outDir: string): Promise<void> {
  const args = [vite, 'build', '--config', config, '--outDir', outDir, '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  if (code !== 0) throw new Error('The pages could not be built: Vite says why above.');
}

/** Compresses the served files once, at build time. */
function compress(built: string): void {
  for (const file of ['assets', 'embed'].flatMap((folder) => filesBelow(join(built, folder)))) {
    if (!/\.(js|css|svg|json|wasm|tflite)$/.test(file)) continue;
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

function swapIn(built: string, dist: string): void {
  const old = `${built}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(built, dist);
  rmSync(old, { force: true, recursive: true });
}

/**
 * Builds `dist/` if web/, domain/, sdk/, the lock or Vite's configuration changed since the last build. A
 * failed build throws and leaves the last one in place.
 * @returns whether it built
 */
export async function buildIfChanged(
  log: (line: string) => void,
  root: string = repository,
): Promise<boolean> {
  const dist = join(root, 'dist');
  const stampFile = join(dist, '.stamp');
  const stamp = hashInputs(root);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  log('Building the pages …');
  const startedAt = performance.now();
  const built = join(root, '.cache', `build-${process.pid}`);
  try {
    mkdirSync(built, { recursive: true });
    for (const config of configsIn(root)) await runVite(root, config, built);
    compress(built);
    writeFileSync(join(built, '.stamp'), stamp);
    swapIn(built, dist);
  } finally {
    rmSync(built, { force: true, recursive: true });
  }
  log(`Pages built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

if (process.argv[1] === import.meta.filename) {
  await buildIfChanged(console.log).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findBrowser } from '../../e2e/support/browser.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, '../lighthouse');
const installed = join(import.meta.dirname, '../../.cache/lighthouse');
const cli = join(installed, 'node_modules/lighthouse/cli/index.js');

/** Installs Lighthouse on first use: it has 200 MB of packages that nothing else needs. */
export function installLighthouse(): void {
  const files = ['package.json', 'package-lock.json'];
  const read = (folder: string) =>
    files.map((name) => readFileSync(join(folder, name), 'utf8')).join();
  if (existsSync(cli) && read(source) === read(installed)) return;
  console.log('Installing Lighthouse …');
  mkdirSync(installed, { recursive: true });
  for (const name of files) copyFileSync(join(source, name), join(installed, name));
  const npm = process.env.npm_execpath;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: installed, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: installed, stdio: 'inherit' });
  if (status !== 0) throw new Error('Lighthouse could not be installed: npm says why above.');
}

const score = z.object({ score: z.number() });
const timing = z.object({ numericValue: z.number() });
const report = z.object({
  categories: z.object({
    performance: score,
    accessibility: score,
    'best-practices': score,
    seo: score,
  }),
  audits: z.object({
    'first-contentful-paint': timing,
    'largest-contentful-paint': timing,
    'total-blocking-time': timing,
    'cumulative-layout-shift': timing,
    'total-byte-weight': timing,
  }),
});
export type LighthouseReport = z.infer<typeof report>;

/** Runs Lighthouse's mobile preset (a simulated slow phone on a slow network) on one page. */
export async function lighthouse(url: string): Promise<LighthouseReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-lighthouse-'));
  const file = join(folder, 'report.json');
  try {
    const flags = '--headless=new --no-sandbox --disable-gpu --disable-quic';
    const options = [
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=${flags}`,
    ];
    await run(process.execPath, [cli, url, ...options], {
      env: { ...process.env, CHROME_PATH: findBrowser() ?? '' },
    });
    return report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

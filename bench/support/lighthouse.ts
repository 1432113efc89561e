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

const category = z.object({
  score: z.number(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const audit = z.object({ score: z.number().nullable(), numericValue: z.number().optional() });
const report = z.object({
  finalDisplayedUrl: z.string(),
  categories: z.object({
    performance: category.optional(),
    accessibility: category.optional(),
    'best-practices': category.optional(),
    seo: category.optional(),
  }),
  audits: z.record(z.string(), audit),
});
export type LighthouseReport = z.infer<typeof report>;
export type Category = keyof LighthouseReport['categories'];

/** Returns the points of a category, which must have been measured. */
export function pointsOf({ categories }: LighthouseReport, name: Category): number {
  const measured = categories[name];
  if (!measured) throw new Error(`Lighthouse did not measure ${name}.`);
  return measured.score * 100;
}

/** Returns the audits that cost the page points, by name. */
export function lostPoints({ categories, audits }: LighthouseReport, name: Category): string[] {
  const refs = categories[name]?.auditRefs ?? [];
  const lost = refs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9);
  return lost.map(({ id }) => id);
}

/**
 * Runs Lighthouse's mobile preset (a simulated slow phone on a slow network) on one page.
 * @param options more of its command-line options, such as `--port` of a browser that is signed in
 */
export async function lighthouse(
  url: string,
  options: readonly string[] = [],
): Promise<LighthouseReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-lighthouse-'));
  const file = join(folder, 'report.json');
  try {
    const flags = '--headless=new --no-sandbox --disable-gpu --disable-quic';
    const always = ['--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`];
    await run(process.execPath, [cli, url, ...always, ...options], {
      env: { ...process.env, CHROME_PATH: findBrowser() ?? '' },
    });
    return report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

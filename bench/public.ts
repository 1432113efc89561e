import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { publicPaths } from '#domain/public/pages.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured, plain } from './report.ts';
import { median } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { installLighthouse, type LighthouseReport, lighthouse } from './support/lighthouse.ts';
import { quietMachine } from './support/quiet-machine.ts';
import { allCategories, scores } from './support/scores.ts';

const mostJavaScriptKB = 90;
/** Against a page with the same text only: the public pages add styles and a picture of the product. */
const mostTimesToText = 1.5;
const mostTimesToPicture = 2;
const rounds = 5;

/** Measures what a visitor's phone loads for the public pages, and their Lighthouse scores. */
export async function publicPages(): Promise<Measured[]> {
  installLighthouse();
  const program = await startProgram();
  const { javascript, text } = await read(program.url);
  const bare = await startBare('text-server', { BARE_TEXT: text });
  try {
    const ours: LighthouseReport[] = [];
    const peers: LighthouseReport[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await quietMachine(20_000);
      ours.push(await lighthouse(program.url));
      peers.push(await lighthouse(`http://localhost:${bare.port}`));
    }
    const others: Measured[] = [];
    for (const path of Object.values(publicPaths).filter((each) => each !== '/')) {
      const reports: LighthouseReport[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await quietMachine(20_000);
        reports.push(await lighthouse(program.url + path));
      }
      others.push(...scores(`public: ${path}`, allCategories, reports));
    }
    return [
      javascript,
      ...against('to the first text', 'first-contentful-paint', mostTimesToText, ours, peers),
      ...against('to the picture', 'largest-contentful-paint', mostTimesToPicture, ours, peers),
      ...scores('public: /', allCategories, ours),
      ...others,
    ];
  } finally {
    bare.stop();
    await discard(program);
  }
}

/** Reads the landing page's scripts, and its text, one line for each part. */
async function read(url: string): Promise<{ javascript: Measured; text: string }> {
  const { page, close } = await openBrowser({ width: 390, height: 844, devices: 'none' });
  try {
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.goto(url, { waitUntil: 'networkidle' });
    return { javascript: await weigh(responses), text: await textOf(page) };
  } finally {
    await close();
  }
}

// biome-ignore lint/performance/useDomNodeTextContent: as it is shown, a line for each part
const textOf = (page: Page) => page.locator('body').innerText();

async function weigh(responses: readonly Response[]): Promise<Measured> {
  let bytes = 0;
  const files: string[] = [];
  for (const response of responses) {
    if (!(response.headers()['content-type'] ?? '').includes('javascript')) continue;
    bytes += gzipSync(await response.body(), { level: 9 }).length;
    files.push(new URL(response.url()).pathname.split('/').at(-1) ?? '');
  }
  const name = 'public: JavaScript of the landing page, gzip';
  return plain(name, 'KB', bytes / 1000, mostJavaScriptKB, files.join(', '));
}

function against(
  name: string,
  audit: 'first-contentful-paint' | 'largest-contentful-paint',
  limit: number,
  ours: readonly LighthouseReport[],
  peers: readonly LighthouseReport[],
): Measured[] {
  const middle = (reports: readonly LighthouseReport[]) =>
    median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  const figures = { ours: middle(ours), peer: middle(peers) };
  const note = `Lighthouse’s slow phone, median of ${rounds}, against the bare text`;
  return [compared(`public: ${name} of /`, 'ms', { ...figures, limit, note })];
}

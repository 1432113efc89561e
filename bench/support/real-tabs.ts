import { type Browser, launch, type Page } from 'puppeteer-core';
import { findBrowser } from '../../e2e/support/browser.ts';

/** What playwright and puppeteer switch off, so that pages never count as hidden. */
const throttling = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Opens Chromium with tabs that are hidden and throttled as a person's are. */
export async function openRealTabs(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no Chromium: apt-get install chromium');
  return launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-fake-device-for-media-stream=fps=20',
      '--use-fake-ui-for-media-stream',
      '--allow-loopback-in-peer-connection',
      '--autoplay-policy=no-user-gesture-required',
    ],
    ignoreDefaultArgs: throttling,
  });
}

/** Joins as a guest who agrees to be recorded. */
export async function joinRecorded(
  browser: Browser,
  guestUrl: string,
  name: string,
): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(guestUrl);
  await page.locator('::-p-aria(Your name)').fill(name);
  await page.locator('::-p-aria(Record me)').click();
  await page.locator('::-p-aria(Join[role="button"])').click();
  return page;
}

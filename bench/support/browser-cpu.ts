import type { Browser } from 'playwright-core';
import type { Person } from '../../e2e/support/browser.ts';

/** Returns the seconds of processor time that all processes of a browser have used so far. */
export async function cpuSeconds({ context }: Person): Promise<number> {
  const browser: Browser | null = context.browser();
  if (!browser) throw new Error('the context has no browser of its own');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

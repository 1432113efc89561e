import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from './cached-tool.ts';
import { freePort } from './free-port.ts';

export const stripeMockVersion = '0.203.0';

/** Installed by `scripts/test-tools.ts`. */
export const stripeMockExecutable = () =>
  join(cachedTool(`stripe-mock-${stripeMockVersion}`), 'stripe-mock');
export const hasStripeMock = () => existsSync(stripeMockExecutable());

/** Stripe's own server for tests: it refuses requests that Stripe's API description does not allow. */
export interface StripeMock {
  url: string;
  stop(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
  const port = await freePort();
  const child = spawn(stripeMockExecutable(), ['-http-addr', `127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt += 1) {
    if (await fetch(url).catch(() => null)) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free port of this machine that no outgoing connection takes: they start at 32768. One of
 * theirs could be taken again in the seconds until a program listens on it, which then fails to start.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

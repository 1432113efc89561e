import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const run = promisify(execFile);
const autocannon = createRequire(import.meta.url).resolve('autocannon');

export interface Load {
  requestsPerSecond: number;
  p99Ms: number;
}

/**
 * Sends as many requests (POST if there is a `body`) as `connections` can make in `seconds`, from a
 * separate process.
 */
export async function load(
  url: string,
  headers: Record<string, string>,
  given: { connections: number; seconds: number; body?: object | undefined },
): Promise<Load> {
  const { connections, seconds, body } = given;
  const flags = ['-j', '-c', String(connections), '-d', String(seconds)];
  for (const [name, value] of Object.entries(headers)) flags.push('-H', `${name}=${value}`);
  if (body) {
    flags.push('-m', 'POST', '-H', 'content-type=application/json', '-b', JSON.stringify(body));
  }
  const { stdout } = await run(process.execPath, [autocannon, ...flags, url], {
    maxBuffer: 2 ** 24,
  });
  const { requests, latency, duration, non2xx, errors } = JSON.parse(stdout);
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return { requestsPerSecond: requests.total / duration, p99Ms: latency.p99 };
}

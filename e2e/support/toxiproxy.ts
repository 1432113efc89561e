import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';
import { freePort } from '#server/testing/free-port.ts';

export const toxiproxyVersion = '2.5.0';

/** Installed by `scripts/build-toxiproxy.ts`. */
export const toxiproxyExecutable = () =>
  join(cachedTool(`toxiproxy-${toxiproxyVersion}`), 'toxiproxy-server');

export const hasToxiproxy = () => existsSync(toxiproxyExecutable());

/** Network faults in toxiproxy's terms; in milliseconds. */
export type Toxic =
  | { type: 'latency'; attributes: { latency: number; jitter?: number } }
  | { type: 'timeout'; attributes: { timeout: number } }
  | { type: 'reset_peer'; attributes: { timeout: number } }
  | { type: 'slow_close'; attributes: { delay: number } };

/** A TCP connection to the program with realistic faults. */
export interface ToxicLine {
  url: string;
  /** In both directions, for open and new connections. */
  poison(toxic: Toxic): Promise<void>;
  heal(): Promise<void>;
  /** If false, new connections are refused, and open ones are closed. */
  enable(enabled: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function openToxicLine(target: string): Promise<ToxicLine> {
  const [port, control] = [await freePort(), await freePort()];
  const child = spawn(toxiproxyExecutable(), ['-host', '127.0.0.1', '-port', String(control)], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = asker(`http://127.0.0.1:${control}`);
  await answers(child, ask);
  await ask('POST', '/proxies', {
    name: 'line',
    listen: `127.0.0.1:${port}`,
    upstream: `127.0.0.1:${new URL(target).port}`,
  });
  const streams = ['upstream', 'downstream'] as const;
  let poisons: string[] = [];
  return {
    url: `http://localhost:${port}`,
    poison: async (toxic) => {
      for (const stream of streams) {
        const name = `${toxic.type}-${stream}`;
        await ask('POST', '/proxies/line/toxics', { name, stream, ...toxic });
        poisons.push(name);
      }
    },
    heal: async () => {
      for (const name of poisons) await ask('DELETE', `/proxies/line/toxics/${name}`);
      poisons = [];
    },
    enable: async (enabled) => {
      await ask('POST', '/proxies/line', { enabled });
    },
    close: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

type Ask = (method: string, path: string, body?: object) => Promise<void>;

function asker(address: string): Ask {
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${address}${path}`, { method, ...sent });
    if (!answer.ok) throw new Error(`toxiproxy: ${method} ${path}: ${await answer.text()}`);
  };
}

async function answers(child: ChildProcess, ask: Ask): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
    const isThere = await ask('GET', '/version').then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('toxiproxy did not start');
}

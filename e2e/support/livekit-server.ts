import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';
import { freePort } from '#server/testing/free-port.ts';

export const liveKitVersion = '1.13.5';

/** Installed by `scripts/test-tools.ts`. */
export const liveKitExecutable = () =>
  join(cachedTool(`livekit-server-${liveKitVersion}`), 'livekit-server');
export const hasLiveKit = () => existsSync(liveKitExecutable());

export const liveKitKey = 'rapport-tests';
export const liveKitSecret = 'a secret of the tests, long enough to please LiveKit';

export interface LiveKitNode {
  url: string;
  output(): string;
  /** A participant's media have reached this node. */
  carriesMedia(): boolean;
  /** Kills it, like a power failure. */
  kill(): Promise<void>;
  /** Stops it with its sockets open. */
  freeze(): void;
}

interface NodeOptions {
  /** `host:port`, for several nodes that share their rooms. */
  redis?: string;
  webhook?: string;
}

const shipped = join(import.meta.dirname, '../../deploy/livekit.yaml');

/** Starts a node on this machine only, with the shipped configuration. */
export async function startLiveKit(options: NodeOptions = {}): Promise<LiveKitNode> {
  const port = await freePort();
  const body = configured(readFileSync(shipped, 'utf8'), port, await freePort(), options);
  const child = spawn(
    liveKitExecutable(),
    ['--config-body', body, '--keys', `${liveKitKey}: ${liveKitSecret}`],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const node: LiveKitNode = {
    url: `ws://127.0.0.1:${port}`,
    output: () => output,
    carriesMedia: () => /mediaTrack published/.test(output),
    kill: async () => {
      if (child.exitCode === null) child.kill('SIGKILL');
      await ended;
    },
    freeze: () => {
      child.kill('SIGSTOP');
    },
  };
  await answers(node, child);
  return node;
}

/** Returns Rapport's settings for these nodes. */
export const liveKitSettings = (...nodes: readonly LiveKitNode[]) => ({
  LIVEKIT_URL: nodes.map(({ url }) => url).join(','),
  LIVEKIT_API_KEY: liveKitKey,
  LIVEKIT_API_SECRET: liveKitSecret,
});

/** Returns the shipped configuration on loopback: only its ports and addresses differ. */
function configured(text: string, port: number, tcpPort: number, options: NodeOptions): string {
  const loopback = [
    'rtc:',
    '  node_ip: 127.0.0.1',
    '  enable_loopback_candidate: true',
    '  interfaces: {includes: [lo]}',
    '  stun_servers: []',
  ];
  return [
    text
      .replace(/^port: .*/m, `port: ${port}`)
      .replace(/tcp_port: .*/, `tcp_port: ${tcpPort}`)
      .replace('use_external_ip: true', 'use_external_ip: false')
      .replace(/^rtc:$/m, loopback.join('\n')),
    'bind_addresses: [127.0.0.1]',
    options.redis ? `redis: {address: "${options.redis}"}` : '',
    options.webhook ? `webhook: {api_key: ${liveKitKey}, urls: ["${options.webhook}"]}` : '',
  ].join('\n');
}

async function answers(node: LiveKitNode, child: ChildProcess): Promise<void> {
  const address = node.url.replace(/^ws/, 'http');
  // Ten seconds were too few where a program and browsers start at the same time.
  for (let attempt = 0; attempt < 1200 && child.exitCode === null; attempt += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`LiveKit did not start:\n${node.output()}`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { freePort } from '#server/testing/free-port.ts';

const executable = '/usr/bin/turnserver';

/** Debian's coturn; `scripts/install-tools.ts` installs it if it may. */
export const hasTurnServer = () => existsSync(executable);

export interface TurnServer {
  /** `turn:` addresses, by UDP and by TCP. */
  urls: { udp: string; tcp: string };
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts a TURN server at that address of this machine, which accepts REST credentials made with
 * `secret`.
 */
export async function startTurnServer(secret: string, at = '127.0.0.1'): Promise<TurnServer> {
  const port = await freePort();
  const child = spawn(
    executable,
    [
      '-n',
      `--listening-port=${port}`,
      `--listening-ip=${at}`,
      `--relay-ip=${at}`,
      '--use-auth-secret',
      `--static-auth-secret=${secret}`,
      '--realm=rapport.test',
      '--no-cli',
      '--no-tls',
      '--no-dtls',
      '--allow-loopback-peers',
      '--log-file=stdout',
      '--pidfile=/dev/null',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = `turn:${at}:${port}`;
  const server: TurnServer = {
    urls: { udp: `${address}?transport=udp`, tcp: `${address}?transport=tcp` },
    output: () => output,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
  await answers(at, port, child, server);
  return server;
}

/** Waits until it answers a STUN binding request (RFC 8489). */
async function answers(
  at: string,
  port: number,
  child: ChildProcess,
  server: TurnServer,
): Promise<void> {
  const socket = createSocket('udp4');
  // The server is not listening yet: the next request is answered.
  socket.on('error', () => undefined);
  const answered = new Promise<true>((resolve) => socket.once('message', () => resolve(true)));
  const request = Buffer.from('000100002112a442000102030405060708090a0b', 'hex');
  try {
    for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
      socket.send(request, port, at);
      const soon = new Promise<false>((resolve) => setTimeout(() => resolve(false), 100));
      if (await Promise.race([answered, soon])) return;
    }
    throw new Error(`coturn did not start:\n${server.output()}`);
  } finally {
    socket.close();
  }
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { freePort } from '#server/testing/free-port.ts';

const executable = '/usr/bin/redis-server';
export const hasRedisServer = () => existsSync(executable);

/** Starts a Redis without persistence. */
export async function startRedis(): Promise<{ address: string; stop: () => void }> {
  const port = await freePort();
  const child = spawn(
    executable,
    ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  for (let attempt = 0; !(await listens(port)); attempt += 1) {
    if (attempt > 200 || child.exitCode !== null) throw new Error('Redis did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { address: `127.0.0.1:${port}`, stop: () => child.kill() };
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

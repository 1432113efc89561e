import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface BareProgram {
  port: number;
  stop(): void;
}

/** Starts a counterpart of bench/bare/ in a separate process. */
export async function startBare(
  name: string,
  env: Record<string, string> = {},
): Promise<BareProgram> {
  const child = fork(join(import.meta.dirname, '../bare', `${name}.ts`), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => {
      const told = typeof message === 'object' && 'port' in message ? Number(message.port) : 0;
      resolve(told);
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}`)));
  });
  child.removeAllListeners('exit');
  return { port, stop: () => child.kill() };
}

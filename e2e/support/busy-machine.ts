import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps every core busy while `work` runs: a process for each core that does nothing else, at normal priority, and
 * that ends by itself should the test die.
 */
export async function withBusyCores<T>(work: () => Promise<T>): Promise<T> {
  const burn = 'const end = Date.now() + 600_000; while (Date.now() < end);';
  const burning = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', burn], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const child of burning) child.kill('SIGKILL');
  }
}

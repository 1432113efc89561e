import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Keeps all cores busy while `work` runs: a process for each that does nothing else, and ends on its
 * own should the test die.
 */
export async function withBusyCores<T>(work: () => Promise<T>): Promise<T> {
  const burn = 'const end = Date.now() + 1_800_000; while (Date.now() < end);';
  const burning = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', burn], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const child of burning) child.kill('SIGKILL');
  }
}

import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const sampleMs = 300;
const busyShare = 0.3;

/**
 * Resolves when the machine is nearly idle, or after the time limit: another process slows down the
 * measured program that needs more of the processor, and a ratio does not compensate for that.
 */
export async function quietMachine(withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const before = busyMs();
    const startedAt = performance.now();
    await sleep(sampleMs);
    const share = (busyMs() - before) / (performance.now() - startedAt) / cpus().length;
    if (share < busyShare) return;
  }
}

const busyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

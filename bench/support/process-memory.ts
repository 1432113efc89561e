import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../e2e/support/program.ts';

/**
 * Returns a process's memory, in bytes: its proportional share (PSS), which counts pages shared by
 * several PostgreSQL processes once; its resident size if the system does not report PSS.
 */
export function held(pid: number): number {
  for (const [file, pattern] of [
    [`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m],
    [`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m],
  ] as const) {
    const found = readOrEmpty(file).match(pattern)?.[1];
    if (found) return Number(found) * 1024;
  }
  return 0;
}

/** Returns the PostgreSQL processes of a data folder: the first one, and all that it started. */
export function postgresProcesses(dataDir: string): number[] {
  // In a user namespace of its own the process still has the pid that is visible here.
  const first = Number(
    readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = readOrEmpty(`/proc/${name}/status`).match(/^PPid:\s+(\d+)/m)?.[1];
    if (/^\d+$/.test(name) && parent) parents.set(Number(name), Number(parent));
  }
  return [first, ...[...parents].filter(([, parent]) => parent === first).map(([pid]) => pid)];
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export interface ServerMemory {
  /** Live objects and buffers, after garbage collection. */
  live: number;
  held: number;
}

/** Requests the figures from the probe in the server (memory-probe.mjs). */
export async function serverMemory(program: Program, probeFile: string): Promise<ServerMemory> {
  const pid = program.process.pid ?? 0;
  rmSync(probeFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; waited < 200 && !existsSync(probeFile); waited += 1) await sleep(25);
  const { heapUsed, external } = JSON.parse(readFileSync(probeFile, 'utf8'));
  return { live: heapUsed + external, held: held(pid) };
}

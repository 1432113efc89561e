import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../e2e/support/program.ts';

/**
 * What a process holds, in bytes: its proportional share (PSS), in which pages shared by several
 * PostgreSQL processes count once; its resident size where the system does not tell.
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

/** The PostgreSQL of a data folder: its first process, and all that it started. */
export function postgresProcesses(dataDir: string): number[] {
  // In a user namespace of its own it still has the pid by which we know it.
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
  /** Live objects and buffers, after the garbage was collected. */
  live: number;
  held: number;
}

/** Asks the probe in the server (memory-probe.mjs). */
export async function serverMemory(program: Program, probeFile: string): Promise<ServerMemory> {
  const pid = program.process.pid ?? 0;
  rmSync(probeFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; waited < 200 && !existsSync(probeFile); waited += 1) await sleep(25);
  const { heapUsed, external } = JSON.parse(readFileSync(probeFile, 'utf8'));
  return { live: heapUsed + external, held: held(pid) };
}

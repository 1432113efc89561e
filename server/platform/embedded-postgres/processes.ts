import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

function ps(...args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return ''; // ps exits with 1 for a process that does not exist
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns the start time, which distinguishes this process from a later one with the same number;
 * undefined when there is no such process.
 */
export function processStartedAt(pid: number): string | undefined {
  if (!hasProc) return ps('-o', 'lstart=', '-p', String(pid)).trim() || undefined;
  const stat = readProc(pid, 'stat');
  // The second field, the name, may contain spaces and brackets. Count the fields after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return state === 'Z' ? undefined : startTicks;
}

/** Returns an identifier of the boot and container in which process numbers are valid. */
export function processNumbering(): string {
  if (!hasProc) return 'one machine';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

function worksIn(pid: number, folder: string): boolean {
  const name = readProc(pid, 'comm')?.trim();
  if (name !== 'postgres' && name !== 'initdb') return false;
  if (readProc(pid, 'cmdline')?.split('\0').includes(folder)) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/**
 * Returns the running PostgreSQL processes (server, backends, initdb) of one data folder, given by
 * its real path. Without /proc it finds only those that name the folder in their command line: the
 * server and initdb.
 */
export function postgresProcessesIn(folder: string): number[] {
  if (hasProc) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids
      .map(Number)
      .filter((pid) => worksIn(pid, folder) && processStartedAt(pid) !== undefined);
  }
  return ps('-axww', '-o', 'pid=,command=')
    .split('\n')
    .filter((line) => /\/(postgres|initdb) /.test(line) && `${line} `.includes(` -D ${folder} `))
    .map((line) => Number.parseInt(line, 10));
}

/** Whether `postgresProcessesIn` also finds backends whose server was killed. */
export const seesBackends = hasProc;

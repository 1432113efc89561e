import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.ts';
import { damaged, explainOutput } from './cluster.ts';
import type { DataFolderPaths } from './file-locations.ts';
import { commandFor, type RunAs } from './run-as.ts';
import { ServerLog } from './server-log.ts';
import { serverSettings } from './settings.ts';

export interface ServerProcess {
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** pg_ctl also waits for the eighth line of postmaster.pid. */
function isReady(paths: DataFolderPaths, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(`${paths.cluster}/postmaster.pid`, 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Returns the error for a server that ended, with the reason that it logged. */
function explainEnd(paths: DataFolderPaths, output: string) {
  const reason = /(?:FATAL|PANIC|ERROR): +(.+)/.exec(output)?.[1] ?? 'PostgreSQL ended at once';
  return explainOutput(output, paths.dataDir) ?? damaged(paths, reason, output);
}

async function withinSeconds(seconds: number, ended: Promise<void>): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(seconds * 1000, false, { signal: timeout.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timeout.abort();
  return inTime;
}

function launch(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
  socketFolder: string,
) {
  const log = openSync(paths.log, 'a', 0o600);
  const settings = ['-D', paths.cluster, ...serverSettings(socketFolder)];
  const { args, file, options } = commandFor(runAs, binaries.postgres, settings);
  // Detached, so that Ctrl-C in the terminal reaches only this program, which stops the database
  // after its last client.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/**
 * Starts the server and waits until it accepts connections, which after a crash may take as long as
 * its recovery.
 * @throws DataFolderError with the server's own reason if it ends
 */
export async function startServerProcess(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
  socketFolder: string,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const serverLog = new ServerLog(paths.log);
  const child = launch(binaries, paths, runAs, socketFolder);
  let running = true;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  }).then(() => {
    running = false;
    process.off('exit', stopAtExit);
  });
  function stopAtExit(): void {
    child.kill('SIGINT'); // for an unplanned exit
  }
  process.once('exit', stopAtExit);

  for (let waited = 0; !isReady(paths, child.pid); waited += 20) {
    if (!running) throw explainEnd(paths, serverLog.read());
    if (waited === 3000) log('PostgreSQL is recovering from an unclean stop …');
    await sleep(20);
  }
  const endReports = serverLog.reportPanics((reason) => {
    const known = explainOutput(reason, paths.dataDir);
    log(`PostgreSQL ended all connections: ${reason}.${known ? ` ${known.message}` : ''}`);
  });
  return {
    ended: ended.finally(endReports),
    async stop() {
      if (running) child.kill('SIGINT');
      if (await withinSeconds(20, ended)) return;
      child.kill('SIGQUIT');
      if (await withinSeconds(5, ended)) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkMail, checkRedis, checkTurn } from './doctor-network.ts';
import type { Finding } from './finding.ts';
import { openOperatorDatabase } from './open-database.ts';

const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };

/** Checks everything that Rapport depends on. @returns a line per check, and whether none failed */
export async function examine(config: Config): Promise<{ report: string; isWell: boolean }> {
  const findings = [
    ...checkAddress(config),
    ...checkFolder(resolve(config.DATA_DIR), config),
    ...(await examineDatabase(config)),
    await checkMail(config),
    ...(await checkTurn(config)),
    await checkRedis(config),
  ];
  const lines = findings.map(
    ({ what, state, text, todo }) =>
      `${marks[state]}  ${what}: ${text}${todo ? `\n         → ${todo}` : ''}`,
  );
  const failed = findings.filter(({ state }) => state === 'failed').length;
  const end = failed === 0 ? 'Nothing stands in the way.' : `${failed} of it must be mended.`;
  return { report: [...lines, '', end].join('\n'), isWell: failed === 0 };
}

function checkAddress({ PUBLIC_URL, TLS_CERT, TRUSTED_PROXIES }: Config): Finding[] {
  const what = 'Address';
  if (PUBLIC_URL === undefined) {
    const todo =
      'Set PUBLIC_URL to the address that people open: until then only localhost, IP addresses and ALLOWED_HOSTS are served.';
    return [{ what, state: 'warning', text: 'PUBLIC_URL is not set', todo }];
  }
  const isHttps = PUBLIC_URL.startsWith('https:');
  if (!isHttps) {
    const todo = 'Browsers give a camera on https alone: set TLS_CERT and TLS_KEY, or use a proxy.';
    return [{ what, state: 'warning', text: `${PUBLIC_URL} is not https`, todo }];
  }
  if (!TLS_CERT && !TRUSTED_PROXIES) {
    const todo = 'Name your proxy in TRUSTED_PROXIES: without it everybody seems to come from it.';
    return [
      { what, state: 'warning', text: `${PUBLIC_URL}, behind a proxy that nobody named`, todo },
    ];
  }
  return [{ what, state: 'ok', text: PUBLIC_URL }];
}

const leastFreeBytes = 2e9;

function checkFolder(dataDir: string, { SECRET_KEY }: Config): Finding[] {
  if (!existsSync(dataDir)) {
    const todo = 'Start Rapport once, or name the right folder in DATA_DIR.';
    return [{ what: 'Data folder', state: 'failed', text: `${dataDir} is not there`, todo }];
  }
  return [checkWritable(dataDir), checkSecret(dataDir, SECRET_KEY), checkDisk(dataDir)];
}

function checkWritable(dataDir: string): Finding {
  const what = 'Data folder';
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK);
  } catch {
    const todo = `Give it to the user that runs Rapport: chown -R rapport ${dataDir}`;
    return { what, state: 'failed', text: `${dataDir} cannot be written`, todo };
  }
  const openTo = statSync(dataDir).mode & 0o077;
  if (openTo === 0) return { what, state: 'ok', text: `${dataDir}, private` };
  const text = `${dataDir} can be read by other users of this machine`;
  return { what, state: 'warning', text, todo: `Keep them out: chmod 700 ${dataDir}` };
}

function checkSecret(dataDir: string, given: string | undefined): Finding {
  const what = 'Secret key';
  const file = join(dataDir, 'secret-key');
  if (given) return { what, state: 'ok', text: 'SECRET_KEY is set' };
  if (!existsSync(file)) return { what, state: 'ok', text: 'made at the first start' };
  if ((statSync(file).mode & 0o077) === 0) {
    const todo = 'Back it up with the data folder: without it sealed secrets cannot be read.';
    return { what, state: 'ok', text: `kept in ${file}`, todo };
  }
  const text = `${file} can be read by other users of this machine`;
  return { what, state: 'failed', text, todo: `Keep them out: chmod 600 ${file}` };
}

function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  const text = `${(freeBytes / 1e9).toFixed(1)} GB free`;
  if (freeBytes >= leastFreeBytes) return { what: 'Disk', state: 'ok', text };
  const todo = 'Make room, or shorten what is kept in Settings, Privacy.';
  return {
    what: 'Disk',
    state: freeBytes < leastFreeBytes / 10 ? 'failed' : 'warning',
    text,
    todo,
  };
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    const { database, close } = await openOperatorDatabase(config);
    try {
      return await database.connection('outside', checkDatabase);
    } finally {
      await close();
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const todo = 'Everything else needs it: mend this first.';
    return [{ what: 'Database', state: 'failed', text, todo }];
  }
}

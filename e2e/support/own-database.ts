import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { keptSecret, secretsFrom } from '#server/platform/secrets.ts';

const database = 'rapport';
const role = 'rapport_app';

/** Returns the socket folder of a running program's embedded PostgreSQL. */
export const socketFolder = (dataDir: string): string => {
  const pidFile = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return pidFile.split('\n')[4] ?? '';
};

/** Returns the application's login: it owns nothing, and row-level security applies to it. */
export function appLogin(dataDir: string): pg.PoolConfig {
  const password = secretsFrom(keptSecret(dataDir)).key('database-role').toString('base64url');
  return { host: socketFolder(dataDir), user: role, password, database, ssl: false };
}

export function ownerLogin(dataDir: string) {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
  return { host: socketFolder(dataDir), user: 'postgres', password, database, ssl: false };
}

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts';
import { migrateJobs } from '#server/platform/jobs.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';

/** The cluster's connection for a test file. Each file copies its own database from the template. */
export interface TestCluster {
  owner:
    | { connectionString: string }
    | { host: string; port: number; user: string; password: string };
  template: string;
  role: { name: string; password: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

/**
 * Starts a PostgreSQL for the run, or uses that of TEST_DATABASE_URL, and creates the migrated
 * database that the tests copy. A copy takes a hundredth of the time of a migration.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rapport-test-'));
  const given = process.env.TEST_DATABASE_URL;
  const own = given ? null : await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const run = randomUUID().slice(0, 8);
  const template = `rapport_template_${run}`;
  const role = { name: `rapport_app_${run}`, password: randomUUID() };
  const owner = given ? { connectionString: given } : ownLogin(own);

  const client = new pg.Client({ ...owner, ...(given ? {} : { database: 'postgres' }) });
  await client.connect();
  await client.query(`create database ${template} template template0 encoding 'UTF8'`);
  await migrateDatabase(onDatabase(owner, template), role);
  await migrateJobs(onDatabase(owner, template), role.name);
  // A cluster that is deleted need not wait for its disk at each commit.
  for (const name of own ? ['current_user', role.name] : []) {
    await client.query(`alter role ${name} set synchronous_commit = off`);
  }
  project.provide('cluster', { owner, template, role });

  return async () => {
    if (given) await dropAll(client, run, role.name);
    await client.end();
    await own?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

function ownLogin(
  own: { connection: { host: string; port: number; user: string; password: string } } | null,
) {
  if (!own) throw new Error('unreachable: there is an own server where no other was given');
  return own.connection;
}

/** Returns the owner's login on one database. */
export function onDatabase(owner: TestCluster['owner'], database: string): pg.ClientConfig {
  if (!('connectionString' in owner)) return { ...owner, database, ssl: false };
  const url = new URL(owner.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Leaves an external cluster as it was. */
async function dropAll(client: pg.Client, run: string, role: string): Promise<void> {
  const made = await client.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`rapport\\_%\\_${run}%`],
  );
  for (const { datname } of made.rows) await client.query(`drop database ${datname} with (force)`);
  await client.query(`drop role ${role}`);
}

import { createRequire } from 'node:module';
import type * as orm from 'drizzle-orm';
import type * as nodePostgres from 'drizzle-orm/node-postgres';
import type * as migrator from 'drizzle-orm/node-postgres/migrator';
import type * as core from 'drizzle-orm/pg-core';

// Drizzle's ES modules cost a second and 275 MB at start, its CommonJS 0.14 s and 69 MB. Therefore
// only this file imports it, as CommonJS (docs/decisions/0002).
const load = createRequire(import.meta.url);
const ormModule: typeof orm = load('drizzle-orm');
const coreModule: typeof core = load('drizzle-orm/pg-core');
const nodePostgresModule: typeof nodePostgres = load('drizzle-orm/node-postgres');
const migratorModule: typeof migrator = load('drizzle-orm/node-postgres/migrator');

export const { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } =
  ormModule;
export const {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} = coreModule;
export const { drizzle } = nodePostgresModule;
export const { migrate } = migratorModule;

export type Drizzle = nodePostgres.NodePgDatabase;
export type { SQL } from 'drizzle-orm';

/** A column of raw bytes. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
});

import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Database } from './database.ts';
import type { Logger } from './log.ts';

/** Work that runs later, at least once, in whichever process takes it. */
export interface Jobs {
  /** Adds a kind of work. `everyCron` repeats it (five fields, UTC). */
  define(
    name: string,
    options: { everyCron?: string },
    work: (data: object) => Promise<void>,
  ): void;
  start(): Promise<void>;
  /** Lets running jobs finish, within ten seconds. */
  stop(): Promise<void>;
}

/**
 * Creates or migrates the queue's own tables, as the owner, and grants access to the application's
 * role.
 */
export async function migrateJobs(owner: pg.ClientConfig, appRole: string): Promise<void> {
  const { database, host, port, user, password, connectionString, ssl } = owner;
  const login = Object.fromEntries(
    Object.entries({ database, host, port, user, password, connectionString, ssl }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const boss = new PgBoss({ ...login, max: 1, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  const name = `"${appRole.replaceAll('"', '""')}"`;
  await boss.getDb().executeSql(`
    grant usage on schema pgboss to ${name};
    grant select, insert, update, delete on all tables in schema pgboss to ${name};
    grant usage on all sequences in schema pgboss to ${name};
    grant execute on all functions in schema pgboss to ${name};
  `);
  await boss.stop({ graceful: false });
}

export function openJobs(database: Database, log: Logger): Jobs {
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => database.background(({ query }) => query(text, values ?? [])),
    },
    migrate: false,
    reindex: false,
    supervise: true,
    schedule: true,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  const defined: {
    name: string;
    cron: string | undefined;
    work: (data: object) => Promise<void>;
  }[] = [];
  return {
    define: (name, options, work) => {
      defined.push({ name, cron: options.everyCron, work });
    },
    async start() {
      await boss.start();
      for (const { name, cron, work } of defined) {
        await boss.createQueue(name);
        await boss.work<object>(name, async (jobs) => {
          for (const job of jobs) await work(job.data ?? {});
        });
        if (cron) await boss.schedule(name, cron);
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

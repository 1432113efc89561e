import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inject } from 'vitest';
import { ModelQueue } from '#server/ai/model-queue.ts';
import { buildApp } from '#server/app.ts';
import { NotesThreads } from '#server/calls/notes-threads.ts';
import { readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { requestTimeouts } from '#server/platform/database-timeouts.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { inProcessBus } from '#server/platform/live-bus.ts';
import { openLog } from '#server/platform/log.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openRevocations, type Revocations } from '#server/platform/revocations.ts';
import { secretsFrom } from '#server/platform/secrets.ts';
import { openSharedThread } from '#server/platform/shared-thread.ts';
import { chooseModels } from '#server/providers/ai/choose.ts';
import { offlineAnalyzer } from '#server/providers/ai/offline.ts';
import { chooseBilling } from '#server/providers/billing/choose.ts';
import { folderFiles } from '#server/providers/files/folder.ts';
import type { Mail } from '#server/providers/mail/port.ts';
import { chooseSpeech } from '#server/providers/speech/choose.ts';
import { chooseVideo } from '#server/providers/video/choose.ts';
import type { Services } from '#server/services.ts';
import { onDatabase } from './cluster.ts';

export interface TestApp {
  http: FastifyInstance;
  services: Services;
  /** The owner's connection, which bypasses row-level security, to inspect stored data. */
  owner: pg.Client;
  /** Login for another connection like `owner`, to hold a lock beside it. */
  ownerLogin: pg.ClientConfig;
  /** The folder of stored files. */
  filesFolder: string;
  /** Mails sent by `sendDueMails`. */
  mails: Mail[];
  /** Opens another pool on the same database, as the application's role. The caller closes it. */
  openDatabase(connections?: number, timeouts?: typeof requestTimeouts): Database;
  /** Opens a pool as the owner, like the operator's command line. */
  openOwnerDatabase(): Database;
  /** Listens to revocations like another process on the same database. The caller closes it. */
  openRevocations(): Promise<Revocations>;
  /** Returns `ws://…`. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Starts the whole server on its own database. Call `close` at the end of the file. */
export async function openTestApp(
  env: Record<string, string> = {},
  given: Pick<Partial<Services>, 'billing' | 'files' | 'speech' | 'video' | 'outside'> = {},
): Promise<TestApp> {
  const { owner: login, template, role } = inject('cluster');
  const database = `${template.replace('template', 'test')}_${randomUUID().slice(0, 8)}`;
  const maintenance = new pg.Client(onDatabase(login, 'postgres'));
  await maintenance.connect();
  await maintenance.query(`create database ${database} template ${template}`);
  await maintenance.end();

  const owner = new pg.Client(onDatabase(login, database));
  await owner.connect();
  const folder = mkdtempSync(join(tmpdir(), 'rapport-files-'));
  const log = openLog(process.env.TEST_LOG ?? 'silent', null);
  const appLogin = loginOf(login, database, role);
  const open = (max = 10, timeouts = requestTimeouts) =>
    openDatabase({ ...appLogin, ...timeouts, max }, log);
  const opened = open();
  const hear = () => openRevocations(appLogin, log);
  const revocations = await hear();
  const config = readConfig({ RATE_LIMIT_SCALE: '1000', DATA_DIR: folder, ...env });
  const mails: Mail[] = [];
  const services: Services = {
    config,
    database: opened,
    bus: inProcessBus(),
    revocations,
    jobs: openJobs(opened, log),
    mail: { leavesMachine: true, send: async (mail) => void mails.push(mail) },
    ai: offlineAnalyzer(openSharedThread),
    models: new ModelQueue(chooseModels(config)),
    billing: await chooseBilling(config),
    speech: chooseSpeech(config),
    video: chooseVideo(config),
    files: folderFiles(folder),
    notes: new NotesThreads(config.RATE_LIMIT_SCALE),
    // Tests never use the public name servers.
    outside: { ...openOutside(config), txtRecords: async () => [] },
    secrets: secretsFrom('a secret for the tests, long enough to be one'),
    log,
    ...given,
  };
  const http = await buildApp(services, { pagesDir: null, strictAnswers: true });
  return {
    http,
    services,
    owner,
    ownerLogin: onDatabase(login, database),
    filesFolder: folder,
    mails,
    openDatabase: open,
    openOwnerDatabase: () => openDatabase({ ...onDatabase(login, database), max: 2 }, log),
    openRevocations: hear,
    listen: async () => (await http.listen({ port: 0, host: '127.0.0.1' })).replace(/^http/, 'ws'),
    close: async () => {
      await http.close();
      await revocations.close();
      await opened.close();
      await owner.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function loginOf(
  login: Parameters<typeof onDatabase>[0],
  database: string,
  role: { name: string; password: string },
): pg.PoolConfig {
  const config = onDatabase(login, database);
  if (!config.connectionString) return { ...config, user: role.name, password: role.password };
  const url = new URL(config.connectionString);
  url.username = role.name;
  url.password = role.password;
  return { connectionString: url.href };
}

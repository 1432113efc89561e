import { join, resolve } from 'node:path';
import pg from 'pg';
import { ModelQueue } from './ai/model-queue.ts';
import { NotesThreads } from './calls/notes-threads.ts';
import type { Config } from './config.ts';
import { openDatabase } from './platform/database.ts';
import { requestTimeouts } from './platform/database-timeouts.ts';
import { explainDatabaseError } from './platform/embedded-postgres/cluster.ts';
import { openDataFolder } from './platform/embedded-postgres/file-locations.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/start.ts';
import { migrateJobs, openJobs } from './platform/jobs.ts';
import { inProcessBus, type LiveBus } from './platform/live-bus.ts';
import { type Logger, openLog } from './platform/log.ts';
import { type AppRole, migrateDatabase } from './platform/migrate.ts';
import { openOutside } from './platform/outside.ts';
import { redisBus } from './platform/redis-bus.ts';
import { openRevocations } from './platform/revocations.ts';
import { openSecrets, type Secrets } from './platform/secrets.ts';
import { openSharedThread } from './platform/shared-thread.ts';
import { chooseModels } from './providers/ai/choose.ts';
import { offlineAnalyzer } from './providers/ai/offline.ts';
import { chooseBilling } from './providers/billing/choose.ts';
import { chooseFiles } from './providers/files/choose.ts';
import { chooseMail } from './providers/mail/choose.ts';
import { chooseSpeech } from './providers/speech/choose.ts';
import { describedModels } from './providers/speech/local/model.ts';
import type { SpeechChoice } from './providers/speech/port.ts';
import { chooseVideo } from './providers/video/choose.ts';
import { secretTexts } from './secret-settings.ts';
import type { Services } from './services.ts';

export interface OpenServices extends Services {
  /** Resolves with a message if the embedded PostgreSQL ends unexpectedly. */
  databaseLost: Promise<string>;
  close(): Promise<void>;
}

const ownDatabase = 'rapport';

/**
 * Opens everything that the program needs, the database first: the embedded one, or that of
 * DATABASE_URL.
 * @param say receives a line for each step that takes a while
 * @throws an Error whose message is for the operator
 */
export async function openServices(
  config: Config,
  say: (line: string) => void,
): Promise<OpenServices> {
  const folder = openDataFolder(resolve(config.DATA_DIR));
  const { dataDir } = folder;
  const logFile = process.stdout.isTTY ? join(dataDir, 'rapport.log') : null;
  const log = openLog(config.LOG_LEVEL, logFile, secretTexts(config));
  const own = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log: say });
  try {
    const secrets = openSecrets(config, dataDir);
    const owner = own
      ? await ownLogin(own.connection)
      : await givenLogin(config.DATABASE_URL ?? '');
    const role = appRole(owner, secrets, own !== null);
    await migrateDatabase(owner, role);
    await migrateJobs(owner, role.name);
    const login = loginAs(owner, role, own !== null);
    const database = openDatabase({ ...login, ...requestTimeouts }, log);
    const revocations = await openRevocations(login, log);
    const jobs = openJobs(database, log);
    const bus = config.REDIS_URL ? await givenBus(config.REDIS_URL, log) : inProcessBus();
    const close = async () => {
      await jobs.stop();
      await bus.close();
      await revocations.close();
      await database.close();
      await own?.stop();
    };
    const files = await chooseFiles(config, dataDir);
    const mail = chooseMail(config.SMTP_URL, config.MAIL_FROM, dataDir);
    const databaseLost = own?.lost ?? new Promise<string>(() => {});
    const ai = offlineAnalyzer(openSharedThread);
    const models = new ModelQueue(chooseModels(config));
    const billing = await chooseBilling(config);
    const speech = chooseSpeech(config);
    if (config.SPEECH_PROVIDER === 'local') warnOfModels(config, speech, log);
    const video = chooseVideo(config);
    const notes = new NotesThreads(config.RATE_LIMIT_SCALE);
    const outside = openOutside(config);
    return {
      config,
      database,
      bus,
      revocations,
      jobs,
      files,
      mail,
      ai,
      models,
      billing,
      speech,
      video,
      notes,
      outside,
      secrets,
      log,
      databaseLost,
      close,
    };
  } catch (error) {
    await own?.stop();
    throw own ? explainDatabaseError(error, folder) : error;
  }
}

function warnOfModels({ DATA_DIR, SPEECH_MODEL }: Config, speech: SpeechChoice, log: Logger) {
  const { wrong } = describedModels(DATA_DIR, SPEECH_MODEL);
  for (const reason of wrong) log.warn({ reason }, 'a file describes no speech model');
  if (!speech.current()) {
    log.warn('no local speech model is fetched: calls are not transcribed until one is');
  }
}

/** Returns the owner's login on the embedded PostgreSQL. The first start creates its database. */
async function ownLogin(connection: {
  host: string;
  port: number;
  user: string;
  password: string;
}): Promise<pg.ClientConfig> {
  const client = new pg.Client({ ...connection, database: 'postgres', ssl: false });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [ownDatabase]);
    if (!found.rowCount) await client.query(`create database ${ownDatabase}`);
  } finally {
    await client.end();
  }
  return { ...connection, database: ownDatabase, ssl: false };
}

const oldestPostgres = 15;

/**
 * Returns the login of DATABASE_URL, after testing it.
 * @throws an Error that names the setting and the problem
 */
async function givenLogin(connectionString: string): Promise<pg.ClientConfig> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  let version: number;
  try {
    await client.connect();
    const found = await client.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    );
    version = Math.floor(Number(found.rows[0]?.version) / 10_000);
  } catch (error) {
    throw new Error(
      `The database of DATABASE_URL cannot be used: ${reasonOf(error)}. Check the address, or unset it: Rapport then runs one of its own.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
  if (version < oldestPostgres) {
    throw new Error(
      `The database of DATABASE_URL is PostgreSQL ${version}, and Rapport needs ${oldestPostgres} or newer.`,
    );
  }
  return { connectionString };
}

async function givenBus(url: string, log: Logger): Promise<LiveBus> {
  try {
    return await redisBus(url, log);
  } catch (error) {
    throw new Error(
      `The Redis of REDIS_URL cannot be used: ${reasonOf(error)}. Start it or check the address; a single process needs none.`,
    );
  }
}

/** For a host with several addresses, returns the error of the last attempt. */
function reasonOf(error: unknown): string {
  const last = error instanceof AggregateError ? error.errors.at(-1) : error;
  return last instanceof Error ? last.message : String(last);
}

/** On an external server, other databases may belong to other installations, so each gets its own role. */
function appRole(owner: pg.ClientConfig, secrets: Secrets, own: boolean): AppRole {
  const password = secrets.key('database-role').toString('base64url');
  if (own) return { name: 'rapport_app', password };
  const { pathname } = new URL(owner.connectionString ?? '');
  return { name: `${decodeURIComponent(pathname.slice(1)) || 'rapport'}_app`, password };
}

function loginAs(owner: pg.ClientConfig, role: AppRole, own: boolean): pg.PoolConfig {
  if (own) return { ...owner, user: role.name, password: role.password };
  const url = new URL(owner.connectionString ?? '');
  url.username = encodeURIComponent(role.name);
  url.password = encodeURIComponent(role.password);
  return { connectionString: url.href };
}

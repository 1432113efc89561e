import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from './app.ts';
import { makeAuditPartitions } from './audit/jobs.ts';
import { startProcessingBillingEvents } from './billing/process-events.ts';
import { startRepeatingEjections } from './calls/hosted-removal.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { startSyncing } from './crm/sync-due.ts';
import { defineJobs } from './jobs.ts';
import { startSendingMails } from './mail/send-mails.ts';
import { type OpenServices, openServices } from './open-services.ts';
import type { Repeated } from './platform/repeat.ts';
import { onStop } from './platform/stop-signals.ts';
import { startFollowingRooms } from './recordings/egress/follow-rooms.ts';
import { startFollowingHostedRooms } from './recordings/hosted/follow-hosted-rooms.ts';
import { startJoining } from './recordings/join/join-due.ts';
import type { Services } from './services.ts';
import { startFetchingModels } from './speech-models/fetch-due.ts';
import { startFinishingTakeovers } from './team/finish-takeovers.ts';
import { startAligning } from './transcripts/alignment/align-due.ts';
import { startDelivering } from './webhooks/deliver-due.ts';

const say = (line: string) => console.log(line);

/**
 * Starts the whole program and listens.
 * @param env the environment variables of config.ts
 * @param prepare runs once everything is open, before the first request is accepted
 * @throws an Error whose message states the problem and the remedy
 */
export async function start(
  env: NodeJS.ProcessEnv,
  prepare: (services: Services) => Promise<void> = async () => {},
): Promise<void> {
  const config = readConfig(env);
  const starting = openAndListen(config, prepare);
  stopWhenAsked(starting);
  const { http, services } = await starting;
  const bound = http.server.address();
  greet(config, typeof bound === 'object' && bound ? bound.port : config.PORT);
  watchDatabase(services);
}

interface Running {
  http: FastifyInstance;
  services: OpenServices;
  repeated: Repeated[];
}

async function openAndListen(
  config: Config,
  prepare: (services: Services) => Promise<void>,
): Promise<Running> {
  const options = appOptions(config);
  const services = await openServices(config, say);
  let http: FastifyInstance | undefined;
  try {
    http = await buildApp(services, options);
    await makeAuditPartitions(services);
    defineJobs(services);
    await services.jobs.start();
    await prepare(services);
    await http.listen({ port: config.PORT, host: config.HOST });
    const repeated = [
      startSendingMails(services),
      startProcessingBillingEvents(services),
      startFinishingTakeovers(services),
      startRepeatingEjections(services),
      startDelivering(services),
      startSyncing(services),
      startFetchingModels(services),
      startFollowingRooms(services),
      startFollowingHostedRooms(services),
      await startJoining(services),
      await startAligning(services),
    ];
    return { http, services, repeated };
  } catch (error) {
    await http?.close();
    await services.close();
    throw explainListen(error, config);
  }
}

/** Stops during the start, too. Otherwise it would leave its PostgreSQL running. */
function stopWhenAsked(starting: Promise<Running>): void {
  let writeFault: (error: unknown) => void = console.error;
  starting.then(
    ({ services: { log } }) => {
      writeFault = (err) => log.fatal({ err }, 'an error that nothing handled');
    },
    () => undefined,
  );
  const stop = async (reason: string) => {
    say(`Stopping (${reason}) …`);
    const running = await starting.catch(() => null);
    await running?.http.close();
    await Promise.all(running?.repeated.map((one) => one.stop()) ?? []);
    await running?.services.close();
    say('Stopped.');
  };
  onStop(stop, { onFault: (error) => writeFault(error) });
}

function appOptions(config: Config): AppOptions {
  const pagesDir = join(import.meta.dirname, '../dist');
  if (!config.TLS_CERT || !config.TLS_KEY) return { pagesDir };
  const https = {
    cert: readPem('TLS_CERT', config.TLS_CERT),
    key: readPem('TLS_KEY', config.TLS_KEY),
  };
  return { pagesDir, https };
}

function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError([`${setting}: the file ${file} cannot be read.`]);
  }
}

function explainListen(error: unknown, config: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new Error(
      `Port ${config.PORT} is taken by another program. Stop it, or start with another: PORT=3001 npm start`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`HOST: ${config.HOST} is no address of this machine.`]);
  }
  if (code === 'EACCES') {
    return new Error(`Port ${config.PORT} needs more rights. Use one above 1023: PORT=3000`);
  }
  return error;
}

function greet(config: Config, port: number): void {
  const scheme = config.TLS_CERT ? 'https' : 'http';
  const url = config.PUBLIC_URL ?? `${scheme}://localhost:${port}`;
  say(`\nRapport is ready: ${url}`);
  say(`  Data: ${config.DATA_DIR}   Health: ${url}/healthz   API: ${url}/docs/api`);
  if (process.stdout.isTTY) say(`  Log:  ${join(config.DATA_DIR, 'rapport.log')}`);
  if (!config.STUN_URL && !config.TURN_URL) {
    say('  Calls reach people on this network; set STUN_URL (and TURN_URL) for the world outside.');
  }
  if (scheme === 'http' && !config.PUBLIC_URL?.startsWith('https')) {
    say('  Browsers give a camera on localhost only; for other machines set up HTTPS (README).');
  }
}

/** The program cannot work without its database. It ends so that a supervisor can restart it. */
function watchDatabase({ databaseLost, log }: OpenServices): void {
  databaseLost.then((sentence) => {
    log.fatal(sentence);
    process.exit(1);
  });
}

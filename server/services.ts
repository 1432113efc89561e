import type { ModelQueue } from './ai/model-queue.ts';
import type { NotesThreads } from './calls/notes-threads.ts';
import type { Config } from './config.ts';
import type { Database } from './platform/database.ts';
import type { Jobs } from './platform/jobs.ts';
import type { LiveBus } from './platform/live-bus.ts';
import type { Logger } from './platform/log.ts';
import type { Outside } from './platform/outside.ts';
import type { Revocations } from './platform/revocations.ts';
import type { Secrets } from './platform/secrets.ts';
import type { BuiltInAnalyzer } from './providers/ai/port.ts';
import type { BillingProvider } from './providers/billing/port.ts';
import type { FileStore } from './providers/files/port.ts';
import type { MailCarrier } from './providers/mail/port.ts';
import type { SpeechChoice } from './providers/speech/port.ts';
import type { VideoEngine } from './providers/video/port.ts';

/**
 * The services of the running program, created once in main.ts (or by a test) and passed to every
 * feature.
 */
export interface Services {
  config: Config;
  database: Database;
  bus: LiveBus;
  /** Reports which sessions, memberships and guest links have ended. */
  revocations: Revocations;
  jobs: Jobs;
  files: FileStore;
  mail: MailCarrier;
  /** The built-in analyzer. */
  ai: BuiltInAnalyzer;
  models: ModelQueue;
  /** Null where no card provider is set up: then no limit applies. */
  billing: BillingProvider | null;
  /** The service that turns speech into text. */
  speech: SpeechChoice;
  video: VideoEngine;
  /** Access to addresses and domains that users enter. */
  outside: Outside;
  notes: NotesThreads;
  secrets: Secrets;
  log: Logger;
}

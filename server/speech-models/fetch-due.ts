import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import { safeStreamFor } from '#server/platform/safe-fetch.ts';
import { ModelRefused } from '#server/providers/speech/local/fetch-file.ts';
import { type Fetching, fetchModel } from '#server/providers/speech/local/fetch-model.ts';
import {
  descriptionFile,
  isFetched,
  modelFolder,
  type SpeechModel,
  totalBytes,
} from '#server/providers/speech/local/model.ts';
import type { Services } from '#server/services.ts';
import { offeredModels } from './offered-models.ts';
import { endFetch, type FetchLease, fetchRows, noteProgress, takeModel } from './store.ts';

const everySeconds = 2;
/** A download whose process has ended goes on after this time. */
const leaseSeconds = 20;
const noteEveryMs = 1000;
const mostAttempts = 12;
const longestPauseSeconds = 300;

type Fetcher = Pick<Services, 'config' | 'database' | 'log'>;
export type FetchOptions = Partial<Pick<Fetching, 'freeBytes' | 'stream' | 'signal'>> & {
  noteEveryMs?: number;
};

/** Fetches the models that were asked for and that this server does not have. Other processes may do the same. */
export function startFetchingModels(services: Fetcher): Repeated {
  const { config, log } = services;
  if (config.SPEECH_PROVIDER !== 'local') return { stop: async () => undefined };
  const stopping = new AbortController();
  const failed = 'speech models could not be fetched';
  const looking = repeat({ everySeconds, log, failed }, async () => {
    await deleteRemoved(services);
    await fetchDueModel(services, { signal: stopping.signal });
  });
  return {
    stop: async () => {
      stopping.abort(new Error('the server stops'));
      await looking.stop();
    },
  };
}

/** Fetches one model, if one is due, and waits for it. @returns whether one was due */
export async function fetchDueModel(
  services: Fetcher,
  options: FetchOptions = {},
): Promise<boolean> {
  const { config, database } = services;
  const missing = offeredModels(config).filter((model) => !isFetched(config.DATA_DIR, model));
  if (missing.length === 0 || options.signal?.aborted) return false;
  const names = missing.map(({ name }) => name);
  const taken = await takeModel(database, names, randomUUID(), leaseSeconds);
  const model = missing.find(({ name }) => name === taken?.name);
  if (!taken || !model) return false;
  await fetchTaken(services, { taken, model }, options);
  return true;
}

async function fetchTaken(
  { config, database, log }: Fetcher,
  { taken, model }: { taken: FetchLease; model: SpeechModel },
  { signal: stopping, ...options }: FetchOptions,
): Promise<void> {
  const stream = options.stream ?? safeStreamFor(config.ALLOW_PRIVATE_TARGETS);
  const lost = new AbortController();
  const signal = stopping ? AbortSignal.any([stopping, lost.signal]) : lost.signal;
  const now: { state: 'fetching' | 'verifying'; receivedBytes: number } = {
    state: 'fetching',
    receivedBytes: 0,
  };
  const keep = async () => {
    const isHeld = await noteProgress(database, taken, now, leaseSeconds);
    if (!isHeld) lost.abort(new Error('the model was removed, or another process fetches it'));
  };
  // Without the database, the lease ends, and another process may write the same files.
  const noting = setInterval(
    () => keep().catch((error: unknown) => lost.abort(error)),
    options.noteEveryMs ?? noteEveryMs,
  );
  const { name } = model;
  try {
    log.info({ model: name, bytes: totalBytes(model) }, 'a speech model is fetched');
    await fetchModel(config.DATA_DIR, model, {
      stream,
      signal,
      ...(options.freeBytes && { freeBytes: options.freeBytes }),
      progress: (state, receivedBytes) => Object.assign(now, { state, receivedBytes }),
    });
    await endFetch(database, taken, { state: 'ready' });
    log.info({ model: name }, 'a speech model was fetched and verified');
  } catch (error) {
    log.warn({ err: error, model: name }, 'a speech model was not fetched');
    clearInterval(noting);
    if (lost.signal.aborted) return;
    await keep();
    await endInterrupted({ database }, taken, { error, isStopping: stopping?.aborted ?? false });
  } finally {
    clearInterval(noting);
  }
}

async function endInterrupted(
  { database }: Pick<Services, 'database'>,
  taken: FetchLease,
  { error, isStopping }: { error: unknown; isStopping: boolean },
): Promise<void> {
  if (error instanceof ModelRefused) {
    await endFetch(database, taken, { state: 'failed', failure: error.failure });
  } else if (isStopping) await endFetch(database, taken, { state: 'interrupted' });
  else if (taken.attempts >= mostAttempts) {
    await endFetch(database, taken, { state: 'failed', failure: 'unreachable' });
  } else {
    const pauseSeconds = Math.min(2 ** taken.attempts, longestPauseSeconds);
    await endFetch(database, taken, { state: 'interrupted' }, pauseSeconds);
  }
}

/** Deletes the files of removed models, except those that the operator has fetched since. */
export async function deleteRemoved({ config, database, log }: Fetcher): Promise<void> {
  const rows = await database.background(fetchRows);
  for (const { name, removedAt } of rows) {
    if (removedAt === null) continue;
    const folder = modelFolder(config.DATA_DIR, name);
    const madeAt = (await timeOf(join(folder, descriptionFile))) ?? (await timeOf(folder));
    if (madeAt === null || madeAt > removedAt) continue;
    await rm(join(folder, descriptionFile), { force: true });
    await rm(folder, { recursive: true, force: true });
    log.info({ model: name }, 'the files of a speech model were deleted');
  }
}

const timeOf = (path: string): Promise<Date | null> =>
  stat(path).then(
    ({ mtime }) => mtime,
    () => null,
  );

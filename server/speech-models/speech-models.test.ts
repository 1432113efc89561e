import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeOrganizationCapture } from '#domain/consent/contract.ts';
import { fetchSpeechModel, listSpeechModels } from '#domain/speech-models/contract.ts';
import { readSpeechService } from '#domain/transcripts/contract.ts';
import { removeSpeechModel } from '#server/operator/remove-speech-model.ts';
import { safeStreamFor } from '#server/platform/safe-fetch.ts';
import { modelFolder } from '#server/providers/speech/local/model.ts';
import { ModelFileServer } from '#server/testing/model-files.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { deleteRemoved, type FetchOptions, fetchDueModel } from './fetch-due.ts';
import { takeModel } from './store.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: Awaited<ReturnType<typeof newOrganization>>;
const files = new ModelFileServer();
beforeAll(async () => {
  await files.open();
  app = await openTestApp({ SPEECH_PROVIDER: 'local', ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await files.close();
});
beforeEach(async () => {
  files.reset();
  rmSync(join(app.filesFolder, 'speech-models'), { recursive: true, force: true });
  await app.owner.query('delete from speech_models');
  await app.owner.query('delete from capture_settings');
  files.describe(app.filesFolder, 'tiny');
  ada = await newOrganization(app);
  ben = await newOrganization(app);
});

const params = { name: 'tiny' };
const want = (by = ada) => by.call(fetchSpeechModel, { params });
const stateOf = async (by = ada) => (await by.call(listSpeechModels)).models[0]?.state;
const fetchDue = (options: FetchOptions = {}) =>
  fetchDueModel(app.services, { noteEveryMs: 10, ...options });
const fetchNow = async () => {
  await want();
  await fetchDue();
};
/** Lets the pause after an interruption pass. */
const whenDue = () => app.owner.query('update speech_models set next_try_at = now()');
const stored = (dataDir = app.filesFolder) => readdirSync(modelFolder(dataDir, 'tiny')).toSorted();
const eventsOf = async ({ user }: typeof ada) => {
  const { rows } = await app.owner.query(
    `select action, metadata from audit_events where org_id = $1 and action like 'SPEECH%' order by id`,
    [user.orgId],
  );
  return rows;
};
const remove = (by = ada) => by.send('DELETE', '/api/speech-models/tiny');

test('an admin has a described model fetched and verified, and calls are then transcribed with it', async () => {
  const [offered] = (await ada.call(listSpeechModels)).models;
  expect(offered).toMatchObject({
    name: 'tiny',
    license: 'MIT',
    languages: ['en', 'de'],
    sizeBytes: 900_000,
    state: { kind: 'absent' },
    isUsed: false,
  });
  expect(offered?.files[0]).toMatchObject({ name: 'encoder', sha256: files.sha256 });
  expect((await want()).models[0]?.state).toEqual({ kind: 'waiting' });
  expect(await ada.call(readSpeechService)).toEqual({ service: null });
  await fetchDue();
  expect((await ben.call(listSpeechModels)).models[0]).toMatchObject({
    state: { kind: 'ready' },
    isUsed: true,
  });
  expect(stored()).toEqual(['decoder', 'encoder', 'model.json', 'tokens']);
  expect(await ada.call(readSpeechService)).toEqual({
    service: { kind: 'local', recognizer: 'local/tiny', host: null },
  });
  expect(await eventsOf(ada)).toEqual([
    { action: 'SPEECH_MODEL_FETCHED', metadata: { model: 'tiny' } },
  ]);
});

test('several clicks and several processes make one download', async () => {
  let open = () => {};
  files.gate = new Promise((resolve) => {
    open = resolve;
  });
  await Promise.all([want(), want(), want(ben)]);
  const both = [fetchDue(), fetchDue()];
  await expect.poll(() => files.asked.length).toBe(1);
  expect(await stateOf(ben)).toEqual({ kind: 'fetching', receivedBytes: 0 });
  expect(await fetchDue()).toBe(false);
  open();
  expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
  await want(ben);
  expect(await fetchDue()).toBe(false);
  expect(files.asked).toHaveLength(3);
});

test('one model at a time is fetched', async () => {
  files.describe(app.filesFolder, 'another');
  const first = await takeModel(app.services.database, ['another'], randomUUID(), 60);
  expect(first).toBeNull();
  await ada.call(fetchSpeechModel, { params: { name: 'another' } });
  await want();
  expect(await takeModel(app.services.database, ['another'], randomUUID(), 60)).not.toBeNull();
  expect(await fetchDue()).toBe(false);
});

test.each([
  ['other content', { sha256: '0'.repeat(64) }, 'checksum'],
  ['more bytes than described', { sizeBytes: 299_999 }, 'size'],
  ['fewer bytes than described', { sizeBytes: 300_001 }, 'size'],
])(
  'a file with %s fails the download, is deleted, and can be tried again',
  async (_, given, reason) => {
    files.describe(app.filesFolder, 'tiny', given);
    await fetchNow();
    expect(await stateOf()).toEqual({ kind: 'failed', reason });
    expect(stored()).toEqual([]);
    expect(await ada.call(readSpeechService)).toEqual({ service: null });
    expect(await fetchDue()).toBe(false);
    files.describe(app.filesFolder, 'tiny');
    await fetchNow();
    expect(await stateOf()).toEqual({ kind: 'ready' });
  },
);

test.each([299_999, 300_001])(
  'an answer of another length than %i bytes that does not say its length is refused, too',
  async (sizeBytes) => {
    files.tellsLength = false;
    files.describe(app.filesFolder, 'tiny', { sizeBytes });
    await fetchNow();
    expect(await stateOf()).toEqual({ kind: 'failed', reason: 'size' });
    expect(stored()).toEqual([]);
  },
);

test('an interrupted download shows what it has, and goes on there after a pause', async () => {
  const part = join(modelFolder(app.filesFolder, 'tiny'), 'encoder.part');
  files.breaksAfter = 100_000;
  files.mayBreak = () => expect.poll(() => statSync(part).size).toBe(100_000);
  await fetchNow();
  expect(await stateOf()).toEqual({ kind: 'interrupted', receivedBytes: 100_000 });
  expect(await fetchDue()).toBe(false);
  files.breaksAfter = Number.POSITIVE_INFINITY;
  await whenDue();
  await fetchDue();
  expect(files.asked[1]).toBe('bytes=100000-');
  expect(await stateOf()).toEqual({ kind: 'ready' });
});

test('a model that is fetched later does not replace the one that is used', async () => {
  await fetchNow();
  files.describe(app.filesFolder, 'another');
  await ben.call(fetchSpeechModel, { params: { name: 'another' } });
  await fetchDue();
  expect((await ada.call(listSpeechModels)).models).toMatchObject([
    { name: 'another', state: { kind: 'ready' }, isUsed: false },
    { name: 'tiny', state: { kind: 'ready' }, isUsed: true },
  ]);
});

test('a server without ranges sends a file again from its beginning', async () => {
  const part = join(modelFolder(app.filesFolder, 'tiny'), 'encoder.part');
  files.hasRanges = false;
  files.breaksAfter = 100_000;
  files.mayBreak = () => expect.poll(() => statSync(part).size).toBe(100_000);
  await fetchNow();
  files.breaksAfter = Number.POSITIVE_INFINITY;
  await whenDue();
  await fetchDue();
  expect(files.asked[1]).toMatch(/^bytes=\d+-$/);
  expect(await stateOf()).toEqual({ kind: 'ready' });
});

test('a download that is interrupted again and again fails', async () => {
  files.status = 503;
  await want();
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await whenDue();
    await fetchDue();
  }
  expect(await stateOf()).toEqual({ kind: 'failed', reason: 'unreachable' });
});

test('a download that would leave less than 1 GB of the disk is refused before it begins', async () => {
  await want();
  await fetchDue({ freeBytes: async () => 1_000_000_000 });
  expect(await stateOf()).toEqual({ kind: 'failed', reason: 'disk' });
  expect(files.asked).toEqual([]);
});

test('a full disk ends the download, and frees what it took', async () => {
  await want();
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  await fetchDue({ stream: () => Promise.reject(full) });
  expect(await stateOf()).toEqual({ kind: 'failed', reason: 'disk' });
  expect(stored()).toEqual([]);
});

test('a private address that the operator has not allowed is not asked', async () => {
  await want();
  await fetchDue({ stream: safeStreamFor(undefined) });
  expect(await stateOf()).toEqual({ kind: 'failed', reason: 'refused' });
  expect(files.asked).toEqual([]);
});

test('a server that stops in the middle goes on after its start', async () => {
  const stopping = new AbortController();
  const stream = safeStreamFor('127.0.0.1');
  await want();
  await fetchDue({
    signal: stopping.signal,
    stream: async (url, options) => {
      if (url.endsWith('/decoder')) stopping.abort(new Error('the server stops'));
      return stream(url, options);
    },
  });
  expect(await stateOf()).toEqual({ kind: 'interrupted', receivedBytes: 300_000 });
  expect(await fetchDue()).toBe(true);
  expect(files.asked).toHaveLength(3);
  expect(await stateOf()).toEqual({ kind: 'ready' });
});

test('another process takes over from one that was killed, and the first one, if it wakes up, stops', async () => {
  let open = () => {};
  files.gate = new Promise((resolve) => {
    open = resolve;
  });
  await want();
  // Its timer does not run while it is frozen.
  const frozen = fetchDue({ noteEveryMs: 3_600_000 });
  await expect.poll(() => files.asked.length).toBe(1);
  await app.owner.query(`update speech_models set leased_until = now() - interval '1 second'`);
  expect(await stateOf()).toMatchObject({ kind: 'interrupted' });
  const other = mkdtempSync(join(tmpdir(), 'rapport-models-'));
  files.describe(other, 'tiny');
  const config = { ...app.services.config, DATA_DIR: other };
  const second = fetchDueModel({ ...app.services, config });
  await expect.poll(() => files.asked.length).toBe(2);
  open();
  await Promise.all([second, frozen]);
  const { rows } = await app.owner.query('select state, attempts, lease from speech_models');
  expect(rows).toEqual([{ state: 'ready', attempts: 0, lease: null }]);
  expect(stored(other)).toContain('model.json');
  rmSync(other, { recursive: true });
});

test('a model is removed from each server, except by an admin while another organization uses it', async () => {
  await fetchNow();
  await ben.call(changeOrganizationCapture, { body: { transcript: 'ask' } });
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'speech_model_in_use' } });
  expect(await remove(ben)).toMatchObject({ status: 200 });
  expect((await eventsOf(ben)).at(-1)).toEqual({
    action: 'SPEECH_MODEL_REMOVED',
    metadata: { model: 'tiny' },
  });
  expect(await stateOf()).toEqual({ kind: 'absent' });
  expect(existsSync(modelFolder(app.filesFolder, 'tiny'))).toBe(false);
  expect(await ada.call(readSpeechService)).toEqual({ service: null });
  expect(await fetchDue()).toBe(false);
});

test('the operator removes a model also while it is used', async () => {
  await fetchNow();
  await ben.call(changeOrganizationCapture, { body: { transcript: 'ask' } });
  const database = app.openOwnerDatabase();
  expect(await removeSpeechModel(database, 'tiny')).toContain('removed');
  await expect(removeSpeechModel(database, '../tiny')).rejects.toThrow('no name of a model');
  await database.close();
  await deleteRemoved(app.services);
  expect(await stateOf()).toEqual({ kind: 'absent' });
});

test('a download in progress cannot be ended by an admin', async () => {
  await want();
  expect(await remove(ben)).toMatchObject({ status: 409, body: { code: 'speech_model_busy' } });
});

test('a model can be asked for ten times a day, by all organizations together', async () => {
  for (let count = 0; count < 10; count += 1) {
    await want(count % 2 === 0 ? ada : ben);
    await app.owner.query(`update speech_models set state = 'failed', failure = 'disk'`);
  }
  expect(await ben.send('PUT', '/api/speech-models/tiny')).toMatchObject({
    status: 429,
    body: { code: 'speech_model_limit' },
  });
});

test('a model that the operator has not described is unknown', async () => {
  for (const method of ['PUT', 'DELETE'] as const) {
    expect(await ada.send(method, '/api/speech-models/other')).toMatchObject({ status: 404 });
    expect(await ada.send(method, '/api/speech-models/..%2Ftiny')).toMatchObject({ status: 404 });
  }
});

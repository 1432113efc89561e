import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchSpeechModel } from '#server/operator/fetch-speech-model.ts';
import { ModelFileServer } from '#server/testing/model-files.ts';
import { wavOf } from '#server/transcripts/wav.ts';
import { chooseSpeech } from '../choose.ts';
import { SpeechError } from '../port.ts';
import { localModel } from './local-model.ts';
import { modelFolder } from './model.ts';

const server = new ModelFileServer();
let folder: string;
beforeAll(() => server.open());
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-models-'));
  server.reset();
  return () => rmSync(folder, { recursive: true });
});

const describe = (given: object = {}) => {
  const { url, sha256, content } = server;
  const file = { url: `${url}/model`, sha256, sizeBytes: content.length, ...given };
  const path = join(folder, 'description.json');
  const files = { encoder: file, decoder: file, tokens: file };
  const about = { name: 'tiny', kind: 'whisper', license: 'MIT', languages: ['en'] };
  writeFileSync(path, JSON.stringify({ ...about, files }));
  return path;
};
const said: string[] = [];
const fetchIt = (path = describe()) =>
  fetchSpeechModel({ DATA_DIR: folder, ALLOW_PRIVATE_TARGETS: '127.0.0.1' }, path, (line) =>
    said.push(line),
  );
const stored = () => readdirSync(modelFolder(folder, 'tiny')).toSorted();
const chosen = () =>
  chooseSpeech({ SPEECH_PROVIDER: 'local', SPEECH_MODEL: 'tiny', DATA_DIR: folder }).current();
const phrase = { wav: wavOf(new Float32Array(16_000)), durationMs: 1000 };

test('a model is fetched, told about, verified, and then chosen', async () => {
  expect(chosen()).toBeNull();
  expect(await fetchIt()).toContain('tiny can be used');
  expect(said.join('\n')).toMatch(/license MIT, languages en[\s\S]*SHA-256[\s\S]*100 %/);
  expect(stored()).toEqual(['decoder', 'encoder', 'model.json', 'tokens']);
  expect(chosen()).toMatchObject({ kind: 'local', recognizer: 'local/tiny', host: null });
  await fetchIt();
  expect(server.asked).toHaveLength(3);
});

test('what an interrupted attempt received is kept, and the next one continues there', async () => {
  const part = join(modelFolder(folder, 'tiny'), 'encoder.part');
  server.breaksAfter = 100_000;
  server.mayBreak = () => expect.poll(() => statSync(part).size).toBe(100_000);
  await expect(fetchIt()).rejects.toThrow();
  expect(stored()).toEqual(['encoder.part']);
  expect(chosen()).toBeNull();
  server.breaksAfter = Number.POSITIVE_INFINITY;
  await fetchIt();
  expect(server.asked[1]).toMatch(/^bytes=\d+-$/);
  expect(chosen()).not.toBeNull();
});

test.each([
  ['another content', { sha256: '0'.repeat(64) }, /has the SHA-256/],
  ['more than its description says', { sizeBytes: 1000 }, /has 300000 bytes, not 1000/],
])('a file with %s is refused and deleted', async (_, given, reason) => {
  await expect(fetchIt(describe(given))).rejects.toThrow(reason);
  expect(stored()).toEqual([]);
  expect(chosen()).toBeNull();
});

test('a description with files of another kind, a made-up hash, or a path as its name is refused', async () => {
  const path = describe({ sha256: 'unknown' });
  await expect(fetchIt(path)).rejects.toThrow(/SHA-256 in hexadecimal/);
  writeFileSync(
    path,
    JSON.stringify({
      name: '../tiny',
      kind: 'whisper',
      license: 'MIT',
      languages: ['en'],
      files: {},
    }),
  );
  await expect(fetchIt(path)).rejects.toThrow(/lower case[\s\S]*exactly those of its kind/);
});

test('weights that the real runtime cannot read end its process, and fail the phrase alone', {
  timeout: 60_000,
}, async () => {
  await fetchIt();
  const service = chosen();
  const failure = () => service?.recognize(phrase).catch((reason: unknown) => reason);
  for (const failed of [await failure(), await failure()]) {
    expect(failed).toBeInstanceOf(SpeechError);
    expect(failed).toMatchObject({ failure: 'failed' });
  }
});

test('phrases are recognized in the child process, which is started again after it has ended', async () => {
  await fetchIt();
  const program = join(folder, 'stand-in.mjs');
  writeFileSync(
    program,
    `process.on('message', ({ id, samples }) => {
      if (samples.length < 10) process.exit(1);
      process.send({ kind: 'recognized', id, text: samples.length + ' samples', language: 'en' });
    });`,
  );
  const service = localModel(folder, 'tiny', program);
  const both = await Promise.all([service.recognize(phrase), service.recognize(phrase)]);
  expect(both).toEqual(Array(2).fill({ text: '16000 samples', language: 'en' }));
  const short = { wav: wavOf(new Float32Array(5)), durationMs: 1 };
  await expect(service.recognize(short)).rejects.toMatchObject({ failure: 'failed' });
  expect((await service.recognize(phrase)).text).toBe('16000 samples');
  const given = new AbortController();
  given.abort();
  await expect(service.recognize(phrase, given.signal)).rejects.toMatchObject({
    failure: 'unreachable',
  });
});

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchSpeechModel } from '#server/operator/fetch-speech-model.ts';
import { wavOf } from '#server/transcripts/wav.ts';
import { chooseSpeech } from '../choose.ts';
import { SpeechError } from '../port.ts';
import { localModel } from './local-model.ts';
import { modelFolder } from './model.ts';

const content = Buffer.alloc(300_000, 'weights ');
const asked: (string | undefined)[] = [];
/** Bytes after which the server breaks the connection. */
let breaksAfter = Number.POSITIVE_INFINITY;
let folder: string;
let url: string;
const server = createServer((request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  asked.push(request.headers.range);
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  response.writeHead(from > 0 ? 206 : 200, from > 0 ? { 'content-range': range } : {});
  const sent = content.subarray(from, from + breaksAfter);
  if (from + sent.length === content.length) response.end(sent);
  else response.write(sent, () => response.destroy());
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/model`;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-models-'));
  asked.length = 0;
  breaksAfter = Number.POSITIVE_INFINITY;
  return () => rmSync(folder, { recursive: true });
});

const sha256 = createHash('sha256').update(content).digest('hex');
const describe = (given: object = {}) => {
  const file = { url, sha256, sizeBytes: content.length, ...given };
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
  expect(asked).toHaveLength(3);
});

test('what an interrupted attempt received is kept, and the next one continues there', async () => {
  breaksAfter = 100_000;
  await expect(fetchIt()).rejects.toThrow();
  expect(stored()).toEqual(['encoder.part']);
  expect(chosen()).toBeNull();
  breaksAfter = Number.POSITIVE_INFINITY;
  await fetchIt();
  expect(asked[1]).toMatch(/^bytes=\d+-$/);
  expect(chosen()).not.toBeNull();
});

test.each([
  ['another content', { sha256: '0'.repeat(64) }, /has the SHA-256/],
  ['more than its description says', { sizeBytes: 1000 }, /larger than the 1000 bytes/],
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

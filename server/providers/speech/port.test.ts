import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { sampleRate, wavOf } from '#server/transcripts/wav.ts';
import { chooseSpeech } from './choose.ts';
import { SpeechError, type SpeechService } from './port.ts';
import { missingOfSpeech } from './settings.ts';

let standIn: SpeechStandIn;
beforeAll(async () => {
  standIn = await new SpeechStandIn().open();
});
beforeEach(() => {
  standIn.heard.length = 0;
  standIn.next.length = 0;
  standIn.say = () => 'Hello there.';
});
afterAll(() => standIn.close());

const tone = Float32Array.from({ length: sampleRate }, (_, at) => Math.sin(at / 10) / 2);
const phrase = { wav: wavOf(tone), durationMs: 1000 };

/** The behavior required of every speech service. Add further ones here. */
describe.each(['openai-compatible', 'deepgram'] as const)('%s', (provider) => {
  const open = (key = standIn.key): SpeechService => {
    const settings = {
      SPEECH_PROVIDER: provider,
      SPEECH_URL: standIn.url,
      SPEECH_KEY: key,
      SPEECH_MODEL: 'tiny.en',
      DATA_DIR: tmpdir(),
    };
    const service = chooseSpeech(settings).current();
    if (!service) throw new Error('no service');
    return service;
  };
  const failure = async (service = open(), signal?: AbortSignal) => {
    const error = await service.recognize(phrase, signal).catch((reason: unknown) => reason);
    return error instanceof SpeechError ? error.failure : error;
  };

  test('sends the whole phrase as a WAV file, with key and model, and returns the words', async () => {
    standIn.say = () => '  Good morning.  ';
    const service = open();
    expect((await service.recognize(phrase)).text).toBe('Good morning.');
    expect(standIn.heard).toHaveLength(1);
    expect(standIn.heard[0]?.model).toBe('tiny.en');
    expect(standIn.heard[0]?.samples).toHaveLength(sampleRate);
    expect(service.recognizer).toBe(`${provider}/tiny.en`);
    expect(standIn.url).toContain(service.host);
  });

  test('tells each kind of failure apart, and which of them may pass', async () => {
    expect(await failure(open('wrong'))).toBe('refused');
    const html = { status: 200, type: 'text/html', body: '<h1>Welcome to nginx</h1>' };
    for (const [reply, expected] of [
      [{ status: 500, body: '{}' }, 'failed'],
      [{ status: 503, body: '' }, 'busy'],
      [{ status: 429, body: '{}' }, 'busy'],
      [{ status: 400, body: '{}' }, 'refused'],
      [{ status: 302, body: '' }, 'refused'],
      ['drop', 'unreachable'],
      [html, 'malformed'],
      [{ status: 200, body: '{"text":7,"results":{}}' }, 'malformed'],
      [{ status: 200, body: `{"text":"${'x'.repeat(300_000)}"}` }, 'malformed'],
    ] as const) {
      standIn.next.push(reply);
      expect(await failure()).toBe(expected);
    }
    expect(new SpeechError('busy', '').passes).toBe(true);
    expect(new SpeechError('refused', '').passes).toBe(false);
  });

  test('ends a request that its caller gives up', async () => {
    standIn.next.push('hang');
    const given = new AbortController();
    const failed = failure(open(), given.signal);
    await expect.poll(() => standIn.heard.length).toBe(1);
    given.abort();
    expect(await failed).toBe('unreachable');
  });
});

test('no service is configured by default, and half a configuration is refused by name', () => {
  expect(chooseSpeech({ SPEECH_PROVIDER: 'off', DATA_DIR: tmpdir() }).current()).toBeNull();
  expect(missingOfSpeech({ SPEECH_PROVIDER: 'off' })).toBeNull();
  expect(missingOfSpeech({ SPEECH_PROVIDER: 'off', SPEECH_URL: 'http://a' })).toContain(
    'SPEECH_PROVIDER',
  );
  expect(missingOfSpeech({ SPEECH_PROVIDER: 'openai-compatible' })).toContain('SPEECH_URL');
  expect(missingOfSpeech({ SPEECH_PROVIDER: 'deepgram' })).toContain('SPEECH_KEY');
  for (const SPEECH_MODEL of ['../secret', 'A model'])
    expect(missingOfSpeech({ SPEECH_PROVIDER: 'local', SPEECH_MODEL })).toContain('SPEECH_MODEL');
});

import { tmpdir } from 'node:os';
import { DeepgramClient } from '@deepgram/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { chooseSpeech } from '../choose.ts';
import { SpeechError, type SpeechStream } from '../port.ts';

let standIn: SpeechStandIn;
const opened: SpeechStream[] = [];
beforeAll(async () => {
  standIn = await new SpeechStandIn().open();
});
beforeEach(() => {
  standIn.streams.forget();
  standIn.streams.say = (pcm) => `${pcm.length / 3200} tenths.`;
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.abort();
  vi.useRealTimers();
});
afterAll(() => standIn.close());

/** A tenth of a second of sound, which has its number in it. */
const tenth = (number = 1) => Buffer.alloc(3200, number);
const service = (key = standIn.key, streaming: 'on' | 'off' = 'on') =>
  chooseSpeech({
    SPEECH_PROVIDER: 'deepgram',
    SPEECH_URL: standIn.url,
    SPEECH_KEY: key,
    SPEECH_STREAMING: streaming,
    DATA_DIR: tmpdir(),
  }).current();
function open(speech = service(), orgId = 'ada') {
  const interim: string[] = [];
  const stream = speech?.openStream?.({ orgId, onInterim: (text) => interim.push(text) });
  if (!stream) throw new Error('no stream');
  opened.push(stream);
  return { stream, interim };
}
const speak = (stream: SpeechStream, tenths: number) => {
  for (let at = 0; at < tenths; at += 1) stream.write(tenth(at + 1));
};
const failureOf = (words: Promise<unknown> | null) =>
  Promise.resolve(words).then(
    () => null,
    (error) => (error instanceof SpeechError ? error.failure : error),
  );

test('Deepgram’s own SDK is understood by the stand-in, and understands it', async () => {
  const client = new DeepgramClient({
    apiKey: standIn.key,
    environment: {
      base: '',
      agent: '',
      agentRest: '',
      production: standIn.url.replace(/^http(.*)\/v1$/, 'ws$1'),
    },
  });
  const socket = await client.listen.v1.connect({
    model: 'nova-3',
    language: 'multi',
    encoding: 'linear16',
    sample_rate: 16_000,
    interim_results: 'true',
    endpointing: 'false',
    mip_opt_out: 'true',
    reconnectAttempts: 0,
  });
  const received: { type: string; is_final?: boolean | undefined; said?: string | undefined }[] =
    [];
  socket.on('message', (message) => {
    const results = message.type === 'Results' ? message : null;
    const said = results?.channel.alternatives[0]?.transcript;
    received.push({ type: message.type, is_final: results?.is_final, said });
  });
  socket.connect();
  await socket.waitForOpen();
  for (let at = 0; at < 6; at += 1) socket.sendMedia(tenth());
  socket.sendKeepAlive({ type: 'KeepAlive' });
  socket.sendFinalize({ type: 'Finalize' });
  socket.sendCloseStream({ type: 'CloseStream' });
  await expect
    .poll(() => received)
    .toEqual([
      { type: 'Results', is_final: false, said: '5 tenths.' },
      { type: 'Results', is_final: true, said: '6 tenths.' },
      { type: 'Metadata' },
    ]);
  expect(standIn.streams.newest.messages).toEqual(['KeepAlive', 'Finalize', 'CloseStream']);
  socket.close();
});

describe('a stream', () => {
  test('has the words while they are said, and all of them at the end of the phrase', async () => {
    const { stream, interim } = open();
    expect(standIn.streams.heard, 'nothing is opened before someone speaks').toEqual([]);
    speak(stream, 12);
    await expect.poll(() => interim).toEqual(['5 tenths.', '10 tenths.']);
    expect(await stream.finish()).toEqual({ text: '12 tenths.', language: 'en' });
    const { query, bytes } = standIn.streams.newest;
    expect(query).toMatchObject({
      model: 'nova-3',
      language: 'multi',
      encoding: 'linear16',
      sample_rate: '16000',
      interim_results: 'true',
      mip_opt_out: 'true',
    });
    expect(Buffer.concat(bytes)).toEqual(
      Buffer.concat(Array.from({ length: 12 }, (_, at) => tenth(at + 1))),
    );
    expect(stream.finish(), 'nothing was said since').toBeNull();
  });

  test('phrases that follow each other closely have their own words, on one connection', async () => {
    const { stream } = open();
    const phrases = [3, 7, 2].map((tenths) => {
      speak(stream, tenths);
      return stream.finish();
    });
    const words = await Promise.all(phrases);
    expect(words.map((each) => each?.text)).toEqual(['3 tenths.', '7 tenths.', '2 tenths.']);
    expect(standIn.streams.heard).toHaveLength(1);
  });

  test('a phrase that Deepgram has ended before asked has all its words, too', async () => {
    standIn.streams.answersFinalize = false;
    const { stream, interim } = open();
    speak(stream, 6);
    await expect.poll(() => interim.length).toBe(1);
    const [first] = standIn.streams.connections;
    first?.finish(false);
    speak(stream, 4);
    const words = stream.finish();
    await expect.poll(() => standIn.streams.newest.messages).toContain('Finalize');
    first?.finish(false);
    expect((await words)?.text).toBe('6 tenths. 4 tenths.');
  });

  test('where only silence is left, Deepgram does not answer, and the words are those that it has', async () => {
    standIn.streams.answersFinalize = false;
    const { stream, interim } = open();
    speak(stream, 6);
    await expect.poll(() => interim.length).toBe(1);
    standIn.streams.connections[0]?.finish(false);
    speak(stream, 2);
    expect((await stream.finish())?.text).toBe('6 tenths.');
  });

  test('keeps the connection in silence, and closes it after half a minute of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { stream } = open();
    speak(stream, 3);
    await stream.finish();
    const { newest } = standIn.streams;
    vi.advanceTimersByTime(9_000);
    await expect.poll(() => newest.messages).toEqual(['Finalize', 'KeepAlive', 'KeepAlive']);
    vi.advanceTimersByTime(22_000);
    await expect.poll(() => newest.closedWith).toBe(1000);
    expect(newest.messages.at(-1)).toBe('CloseStream');
    speak(stream, 4);
    expect((await stream.finish())?.text).toBe('4 tenths.');
    expect(standIn.streams.heard).toHaveLength(2);
  });

  test('ends after the last words, or at once when it is aborted', async () => {
    const { stream } = open();
    speak(stream, 3);
    const words = stream.finish();
    stream.end();
    expect((await words)?.text).toBe('3 tenths.');
    await expect.poll(() => standIn.streams.newest.closedWith).toBe(1000);
    stream.write(tenth());
    expect(stream.finish()).toBeNull();
    const other = open();
    speak(other.stream, 6);
    await expect.poll(() => other.interim.length).toBe(1);
    other.stream.abort();
    expect(await failureOf(other.stream.finish())).toBe('unreachable');
    await expect.poll(() => standIn.streams.newest.closedWith).toBe(1006);
    expect(standIn.streams.heard).toHaveLength(2);
  });
});

describe('a stream that fails', () => {
  test.each([
    [401, 'refused'],
    [429, 'busy'],
    [500, 'failed'],
    ['reset', 'unreachable'],
  ] as const)(
    'with %s: its phrase is lost, and a later one has another connection',
    async (trouble, failure) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      standIn.streams.next.push(trouble);
      const { stream } = open();
      speak(stream, 3);
      expect(await failureOf(stream.finish())).toBe(failure);
      speak(stream, 3);
      expect(await failureOf(stream.finish()), 'not tried again at once').toBe('busy');
      const waitMs = failure === 'refused' ? 300_000 : 1_000;
      vi.setSystemTime(Date.now() + waitMs - 10);
      speak(stream, 3);
      expect(await failureOf(stream.finish())).toBe('busy');
      vi.setSystemTime(Date.now() + 20);
      speak(stream, 3);
      expect((await stream.finish())?.text).toBe('3 tenths.');
    },
  );

  test('a connection that is lost in the middle of a phrase loses this phrase alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { stream, interim } = open();
    speak(stream, 6);
    await expect.poll(() => interim.length).toBe(1);
    standIn.streams.newest.socket.close(1011, 'NET-0001');
    await expect.poll(() => standIn.streams.newest.closedWith).toBe(1011);
    speak(stream, 4);
    expect(await failureOf(stream.finish())).toBe('unreachable');
    expect(standIn.streams.heard).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1_001);
    speak(stream, 2);
    expect((await stream.finish())?.text).toBe('2 tenths.');
  });

  test.each([
    ['{"type":"Error","description":"overloaded"}', 'failed'],
    ['{"type":"Results","start":0}', 'malformed'],
    ['<html>', 'malformed'],
  ])('by the message %s', async (message, failure) => {
    const { stream, interim } = open();
    speak(stream, 6);
    await expect.poll(() => interim.length).toBe(1);
    standIn.streams.newest.socket.send(message);
    await expect.poll(() => standIn.streams.newest.closedWith).toBe(1006);
    expect(await failureOf(stream.finish())).toBe(failure);
  });

  test('by not answering: after four seconds the phrase is lost, and the connection ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    standIn.streams.next.push('deaf');
    const { stream } = open();
    speak(stream, 3);
    const words = failureOf(stream.finish());
    await expect.poll(() => standIn.streams.heard[0]?.messages).toEqual(['Finalize']);
    vi.advanceTimersByTime(4_001);
    expect(await words).toBe('unreachable');
    await expect.poll(() => standIn.streams.newest.closedWith).toBe(1006);
  });
});

test('one organization has at most 20 streams, and all at most 50', async () => {
  const speech = service();
  const say = (orgId: string) => {
    const { stream } = open(speech, orgId);
    speak(stream, 1);
    return failureOf(stream.finish());
  };
  const of = (orgId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => say(orgId)));
  expect((await of('ada', 21)).filter((failure) => failure === 'busy')).toHaveLength(1);
  expect((await of('eve', 20)).filter((failure) => failure === 'busy')).toHaveLength(0);
  expect((await of('bo', 11)).filter((failure) => failure === 'busy')).toHaveLength(1);
  for (const stream of opened.splice(0)) stream.abort();
  expect(await say('ada')).toBeNull();
});

test('the operator can choose to have phrases recognized one by one', () => {
  expect(service(standIn.key, 'off')?.openStream).toBeUndefined();
});

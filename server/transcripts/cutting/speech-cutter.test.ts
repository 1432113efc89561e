import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openLog } from '#server/platform/log.ts';
import type { Phrase } from './phrase-cutter.ts';
import { SpeechCutter } from './speech-cutter.ts';
import { element, head, tinyPackets } from './testing/tiny-packets.ts';

const cutter = new SpeechCutter(openLog('silent', null));
afterAll(() => cutter.close());

let speakers = 0;
const speaker = (orgId = 'ada') => {
  speakers += 1;
  return { participantId: `participant ${speakers}`, orgId };
};
const sample = (name: string) =>
  new Uint8Array(readFileSync(new URL(`./samples/${name}.webm`, import.meta.url)));

/** Sends a file in slices, as a page does, and returns its phrases once the stream has ended. */
function cutFile(bytes: Uint8Array): Promise<{ phrases: Phrase[]; error: string | null }> {
  return new Promise((resolve) => {
    const phrases: Phrase[] = [];
    const stream = cutter.open(speaker(), {
      onPhrase: (phrase) => phrases.push(phrase),
      onEnd: (error) => resolve({ phrases, error }),
    });
    for (let at = 0; at < bytes.length; at += 700) stream.write(bytes.slice(at, at + 700));
    stream.end();
  });
}
/** One cluster of blocks of five bytes, of 256 frames without content each. */
const laced = (count: number) =>
  Buffer.concat([
    head,
    element(
      [0x1f, 0x43, 0xb6, 0x75],
      Buffer.concat(
        Array.from({ length: count }, () => Buffer.of(0xa3, 0x85, 0x81, 0, 0, 0x84, 255)),
      ),
    ),
  ]);
/** Tracks, of 2 ** 36 bytes. */
const endless = Buffer.of(0x16, 0x54, 0xae, 0x6b, 1, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0);
const times = ({ phrases }: { phrases: Phrase[] }) =>
  phrases.map(({ startMs, endMs }) => [startMs / 1000, endMs / 1000]);

test('the recording of a browser becomes one phrase for each sentence, as it arrives', async () => {
  const [one, other, noise] = await Promise.all([
    cutFile(sample('two-phrases')),
    cutFile(sample('two-phrases')),
    cutFile(sample('pink-noise')),
  ]);
  expect(one.error).toBeNull();
  expect(times(one)).toEqual([
    [expect.closeTo(1, 0), expect.closeTo(3.2, 0)],
    [expect.closeTo(4.3, 0), expect.closeTo(7.3, 0)],
  ]);
  expect(times(other)).toEqual(times(one));
  expect(times(noise)).toEqual([]);
});

test('a file that ends in the middle of a phrase gives the phrase up to there', async () => {
  const { phrases } = await cutFile(sample('two-phrases').slice(0, 16_000));
  expect(times({ phrases })).toHaveLength(2);
  expect(phrases.at(-1)?.endMs).toBeLessThan(7000);
});

test.each([
  ['empty', new Uint8Array(0)],
  ['not WebM', new Uint8Array(5000).fill(7)],
  [
    'broken after its header',
    Uint8Array.of(...sample('pink-noise').slice(0, 700), ...new Uint8Array(9000).fill(255)),
  ],
])('bytes that are %s end their stream, and no other one', async (_, bytes) => {
  const [bad, good] = await Promise.all([cutFile(bytes), cutFile(sample('two-phrases'))]);
  expect(times(bad)).toEqual([]);
  expect(times(good)).toHaveLength(2);
});

test.each([
  ['thousands of blocks of 256 frames', laced(3000)],
  ['a description of 64 gigabytes', Buffer.concat([head, endless])],
])('%s end their stream before they are read, and no other one', async (_, bytes) => {
  const [other, ...bad] = await Promise.all([
    cutFile(sample('two-phrases')),
    ...Array.from({ length: 3 }, () => cutFile(bytes)),
  ]);
  expect(times(other)).toHaveLength(2);
  for (const { error } of bad) expect(error).toMatch(/several frames|too long/);
});

test('streams that one organization begins do not delay the phrases of another', async () => {
  const states: ('ended' | 'waits')[] = Array.from({ length: 200 }, () => 'waits');
  const begun = states.map(async (_, at) => {
    const { error } = await heard(tinyPackets(1), speaker('eve'));
    states[at] = 'ended';
    return error;
  });
  const { phrases, error } = await cutFile(sample('two-phrases'));
  expect([phrases.length, error]).toEqual([2, null]);
  expect(states).toContain('waits');
  const first = await Promise.all(begun.slice(0, 5));
  expect(first.every((failure) => failure === null)).toBe(true);
});

test('a stream that sends more than can be read is refused', async () => {
  const ended = new Promise((resolve) => {
    const stream = cutter.open(speaker(), { onPhrase: () => undefined, onEnd: resolve });
    expect(stream.write(new Uint8Array(100_000))).toBe(true);
    expect(stream.write(new Uint8Array(100_000))).toBe(false);
    stream.end();
  });
  await ended;
});

/** Ends when its stream has. */
const heard = (bytes: Uint8Array, of = speaker()) =>
  new Promise<{ phrases: number; error: string | null }>((resolve) => {
    let phrases = 0;
    const stream = cutter.open(of, {
      onPhrase: () => {
        phrases += 1;
      },
      onEnd: (error) => resolve({ phrases, error }),
    });
    stream.write(bytes);
    stream.end();
  });

test('R15-2: two bytes of Opus are 120 ms of sound, and nobody sends more of it than time passes', async () => {
  const of = speaker();
  expect(await heard(tinyPackets(400), of)).toEqual({ phrases: 0, error: null });
  expect(await heard(tinyPackets(400), of)).toMatchObject({
    error: expect.stringMatching('more sound'),
  });
  expect(await heard(sample('two-phrases'))).toEqual({ phrases: 2, error: null });
}, 60_000);

test('R15-2: speakers of one organization do not keep another one waiting', async () => {
  let over = 0;
  const many = Array.from({ length: 5 }, () =>
    heard(tinyPackets(300), speaker('eve')).then(() => {
      over += 1;
    }),
  );
  expect((await heard(sample('two-phrases'))).phrases).toBe(2);
  expect(over).toBeLessThan(many.length);
  await Promise.all(many);
}, 60_000);

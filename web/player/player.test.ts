import { expect, test } from 'vitest';
import { recording as recordingShape } from '#domain/recordings/contract.ts';
import { FakeMedia, FakeTime } from './fake-media.ts';
import { Player } from './player.ts';
import type { PlayedFile } from './timeline.ts';

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const loud = [...Array(8).keys()].flatMap(() => [200, 0]);

interface SomeFile {
  startMs?: number;
  durationMs?: number;
  state?: 'ready' | 'failed';
  waveform?: number[];
}

/** A recording of people, each with the files of one camera. */
const recordingOf = (people: SomeFile[][], durationMs = 60_000, address = 'first') =>
  recordingShape.parse({
    callId: id(1),
    state: 'ready',
    durationMs,
    sizeBytes: 1,
    expiresAt: null,
    legalHold: null,
    people: people.map((files, person) => ({
      participantId: id(10 + person),
      name: `Person ${person}`,
      kind: 'staff',
      tracks: [
        {
          id: id(20 + person),
          source: 'camera',
          files: files.map((file, index) => ({
            id: id(100 + person * 10 + index),
            state: 'ready',
            url: `/${address}/${person}/${index}`,
            posterUrl: null,
            mimeType: 'video/mp4',
            hasVideo: true,
            startMs: 0,
            durationMs,
            sizeBytes: 1,
            waveform: loud,
            ...file,
          })),
        },
      ],
    })),
  });

function playing(recording: ReturnType<typeof recordingOf>, startMs = 0) {
  const time = new FakeTime();
  const media = new Map<string, FakeMedia>();
  const asked: string[] = [];
  const player = new Player<FakeMedia>(
    recording,
    {
      createElement: (file: PlayedFile) => {
        const element = new FakeMedia(time, media.size);
        media.set(file.id.slice(-3), element);
        return element;
      },
      now: () => time.now,
      every: (ms, tick) => time.every(ms, tick),
      renew: () => asked.push('renew'),
    },
    startMs,
  );
  const element = (name: string) => {
    const found = media.get(name);
    if (!found) throw new Error(`${name} is not loaded`);
    return found;
  };
  return { player, time, element, media, asked, state: () => player.state.getSnapshot() };
}

test('two people whose elements run at different speeds stay within 80 ms of each other', () => {
  const { player, time, element } = playing(recordingOf([[{}], [{ startMs: 700 }]]));
  player.play();
  time.run(3000);
  element('100').drift = 1.02;
  element('110').drift = 0.98;
  let apartMs = 0;
  for (let step = 0; step < 300; step += 1) {
    time.run(100);
    const second = element('110').currentTime * 1000 + 700;
    apartMs = Math.max(apartMs, Math.abs(element('100').currentTime * 1000 - second));
  }
  expect(apartMs).toBeGreaterThan(0);
  expect(apartMs).toBeLessThanOrEqual(80);
});

test('a seek moves everyone at once, and play goes on when all of them are loaded', () => {
  const { player, time, element, state } = playing(recordingOf([[{}], [{ startMs: 5000 }]]));
  player.play();
  time.run(1000);
  player.seek(30_000);
  expect(element('100').currentTime).toBe(30);
  expect(element('110').currentTime).toBe(25);
  expect(state().status).toBe('buffering');
  time.run(500);
  expect(state().status).toBe('playing');
  expect(state().positionMs).toBeGreaterThan(30_000);
  expect(element('100').currentTime).toBeGreaterThan(30);
});

test('while one file loads everyone waits, and no position is lost', () => {
  const { player, time, element, state } = playing(recordingOf([[{}], [{}]]));
  player.play();
  time.run(2000);
  element('110').readyState = 2;
  time.run(100);
  const { positionMs } = state();
  expect(state().status).toBe('buffering');
  expect(element('100').paused).toBe(true);
  time.run(3000);
  expect(state().positionMs).toBe(positionMs);
  element('110').loaded();
  time.run(500);
  expect(state().status).toBe('playing');
  expect(state().positionMs).toBeLessThan(positionMs + 700);
});

test('a file that never loads holds the others up for eight seconds only', () => {
  const { player, time, element, state } = playing(recordingOf([[{}], [{}]]));
  element('110').neverLoads = true;
  player.play();
  time.run(7500);
  expect(state().status).toBe('buffering');
  time.run(1500);
  expect(state().status).toBe('playing');
  expect(element('100').currentTime).toBeGreaterThan(0.5);
});

test('a failed file asks for a new address, goes on with it at the same place, and does not stop the others', () => {
  const { player, time, element, asked, state } = playing(recordingOf([[{}], [{}]]));
  player.play();
  time.run(10_000);
  element('110').fail();
  expect([...state().failed]).toEqual([id(110)]);
  expect(asked).toEqual(['renew']);
  time.run(2000);
  expect(state().status).toBe('playing');
  player.update(recordingOf([[{}], [{}]], 60_000, 'second'));
  expect(element('110').src).toBe('/second/1/0');
  // The other one goes on from the address that it has.
  expect(element('100').src).toBe('/first/0/0');
  time.run(2000);
  expect(state().failed.size).toBe(0);
  const apart = element('110').currentTime - element('100').currentTime;
  expect(Math.abs(apart)).toBeLessThanOrEqual(0.08);
});

test('a file that fails three times is left alone until a person asks for it', () => {
  const { player, element, asked, state } = playing(recordingOf([[{}]]));
  for (let time = 0; time < 3; time += 1) {
    element('100').fail();
    player.update(recordingOf([[{}]]));
  }
  expect(asked).toHaveLength(2);
  expect(state().failed.size).toBe(1);
  player.retry();
  expect(state().failed.size).toBe(0);
  expect(asked).toHaveLength(3);
});

test('a track of several files shows each in its time, and nothing in the gap between them', () => {
  const files = [{ durationMs: 10_000 }, { startMs: 20_000, durationMs: 10_000 }];
  const { player, time, element, media, state } = playing(recordingOf([files, [{}]]));
  const shown = () => state().shown.get(recordingOf([[]]).people[0]?.tracks[0]?.id ?? never());
  expect(shown()).toBe(id(100));
  expect(media.has('101')).toBe(false);
  player.play();
  time.run(12_000);
  expect(shown()).toBe(undefined);
  expect(media.has('101')).toBe(true);
  expect(element('101').paused).toBe(true);
  time.run(12_000);
  expect(shown()).toBe(id(101));
  expect(element('101').currentTime).toBeGreaterThan(3);
  expect(element('100').isDisposed).toBe(true);
});

test('a hidden person is not heard and not waited for, and joins in again at the right second', () => {
  const { player, time, element, state } = playing(recordingOf([[{}], [{}]]));
  const second = recordingOf([[], []]).people[1]?.participantId ?? never();
  player.play();
  time.run(1000);
  player.setHidden(second, true);
  element('110').readyState = 1;
  time.run(5000);
  expect(element('110')).toMatchObject({ muted: true, paused: true });
  expect(state().status).toBe('playing');
  element('110').loaded();
  player.setHidden(second, false);
  time.run(3000);
  expect(element('110').muted).toBe(false);
  const apart = element('110').currentTime - element('100').currentTime;
  expect(Math.abs(apart)).toBeLessThanOrEqual(0.08);
});

test('silence of everyone is skipped; one voice is enough to keep it', () => {
  const talk = Array.from({ length: 50 }, (_, index) => (index % 2 ? 210 : 160));
  const pause = Array.from({ length: 100 }, () => 3);
  const waveform = [...talk, ...pause, ...talk];
  const both = recordingOf([[{ waveform }], [{ waveform }]], 20_000);
  const { player, time, state } = playing(both);
  player.setSkipsSilence(true);
  player.play();
  time.run(7500);
  expect(state().positionMs).toBeGreaterThan(15_000);
  const other = recordingOf([[{ waveform }], [{ waveform: [...pause, ...talk, ...talk] }]], 20_000);
  const spoken = playing(other);
  spoken.player.setSkipsSilence(true);
  spoken.player.play();
  spoken.time.run(11_500);
  expect(spoken.state().positionMs).toBeLessThan(15_500);
});

test.each([0.5, 2] as const)('at %s times the speed the clock and everyone run so', (rate) => {
  const { player, time, element, state } = playing(recordingOf([[{}], [{}]]));
  player.setRate(rate);
  player.play();
  time.run(10_000);
  expect(state().positionMs / 1000).toBeGreaterThan(10 * rate - 0.6);
  expect(state().positionMs / 1000).toBeLessThanOrEqual(10 * rate);
  for (const name of ['100', '110'])
    expect(Math.abs(element(name).currentTime * 1000 - state().positionMs)).toBeLessThanOrEqual(40);
});

test('play stops at the end, and begins again from the start', () => {
  const { player, time, state } = playing(recordingOf([[{}]], 3000));
  player.play();
  time.run(4000);
  expect(state()).toMatchObject({ status: 'paused', positionMs: 3000 });
  player.toggle();
  time.run(600);
  expect(state().status).toBe('playing');
  expect(state().positionMs).toBeLessThan(1000);
});

test('a link to a second begins there, paused, with the frame of that second', () => {
  const { element, state } = playing(recordingOf([[{}], [{ startMs: 2000 }]]), 9000);
  expect(state()).toMatchObject({ status: 'paused', positionMs: 9000 });
  expect(element('100').currentTime).toBe(9);
  expect(element('110').currentTime).toBe(7);
});

test('a browser that forbids sound without a click leaves the player paused', async () => {
  const { player, time, element, state } = playing(recordingOf([[{}]]));
  element('100').refusesToPlay = true;
  time.run(200);
  player.play();
  time.run(200);
  await Promise.resolve().then(() => Promise.resolve());
  expect(state().status).toBe('paused');
});

function never(): never {
  throw new Error('missing');
}

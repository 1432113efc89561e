import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseFormat, lessDetail } from './formats.ts';
import type { SegmentRecord } from './part-store.ts';
import { type RecordedTracks, TrackRecorder } from './track-recorder.ts';

/** Emits a part for each `emit`, and a last one when it is stopped, like a browser. */
class FakeRecorder {
  static made: FakeRecorder[] = [];
  /** Whether the event `start` comes later than the recording begins. */
  static startsLate = false;
  static supported = 'video/webm;codecs=h264,opus audio/webm;codecs=opus';
  static isTypeSupported = (type: string) => FakeRecorder.supported.split(' ').includes(type);
  readonly mimeType: string;
  readonly stream: { tracks: unknown[] };
  state: 'inactive' | 'recording' = 'inactive';
  timeslice = 0;
  onstart = () => {};
  ondataavailable = (_: { data: Blob }) => {};
  onstop = () => {};
  onerror = () => {};
  constructor(stream: { tracks: unknown[] }, { mimeType }: { mimeType: string }) {
    this.stream = stream;
    this.mimeType = mimeType;
    FakeRecorder.made.push(this);
  }
  start(timeslice: number): void {
    this.state = 'recording';
    this.timeslice = timeslice;
    if (!FakeRecorder.startsLate) this.onstart();
  }
  emit(text: string): void {
    this.ondataavailable({ data: new Blob([text]) });
  }
  stop(): void {
    this.state = 'inactive';
    queueMicrotask(() => {
      this.emit('last');
      this.onstop();
    });
  }
}

beforeEach(() => {
  FakeRecorder.made = [];
  FakeRecorder.startsLate = false;
  FakeRecorder.supported = 'video/webm;codecs=h264,opus audio/webm;codecs=opus';
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  vi.stubGlobal(
    'MediaStream',
    class {
      readonly tracks: unknown[];
      constructor(tracks: unknown[]) {
        this.tracks = tracks;
      }
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

const track = (kind: string) => ({ kind }) as unknown as MediaStreamTrack;

function open() {
  const begun: SegmentRecord[] = [];
  const heard: string[] = [];
  const nameOf = (key: string) => begun.findIndex((one) => one.key === key);
  const onFailed = vi.fn();
  const recorder = new TrackRecorder({
    source: 'camera',
    token: () => 'meeting',
    callId: () => 'call',
    hold: () => {},
    onFailed,
    receiver: {
      begin: async (record) => void begun.push(record),
      add: async (key, number, content) =>
        void heard.push(`${nameOf(key)}:${number} ${await content.text()}`),
      poster: () => {},
      finish: (key, partCount) => void heard.push(`${nameOf(key)} has ${partCount}`),
    },
  });
  return { recorder, begun, heard, onFailed };
}

test('another camera begins another segment, and the first one keeps its last part', async () => {
  const { recorder, begun, heard } = open();
  const [audio, front, back] = [track('audio'), track('video'), track('video')];
  recorder.follow({ audio, video: front });
  FakeRecorder.made[0]?.emit('a');
  recorder.follow({ audio, video: front });
  recorder.follow({ audio, video: back });
  FakeRecorder.made[1]?.emit('b');
  await recorder.stop();
  expect(FakeRecorder.made.map(({ stream }) => stream.tracks)).toEqual([
    [audio, front],
    [audio, back],
  ]);
  expect(begun.map(({ hasVideo, token }) => [hasVideo, token])).toEqual([
    [true, 'meeting'],
    [true, 'meeting'],
  ]);
  expect(heard.toSorted()).toEqual([
    '0 has 2',
    '0:0 a',
    '0:1 last',
    '1 has 2',
    '1:0 b',
    '1:1 last',
  ]);
});

test('without a camera only sound is recorded, and without any device nothing', () => {
  const { recorder, begun } = open();
  const audio = track('audio');
  recorder.follow({ audio, video: null });
  expect(FakeRecorder.made.map(({ mimeType }) => mimeType)).toEqual(['audio/webm;codecs=opus']);
  recorder.follow({ audio: null, video: null });
  expect(FakeRecorder.made).toHaveLength(1);
  expect(FakeRecorder.made[0]?.state).toBe('inactive');
  expect(begun).toHaveLength(0);
});

test('a browser that records nothing says so', () => {
  FakeRecorder.supported = '';
  const { recorder, onFailed } = open();
  const tracks: RecordedTracks = { audio: track('audio'), video: null };
  recorder.follow(tracks);
  expect(onFailed).toHaveBeenCalledOnce();
});

test.each([
  ['video/webm;codecs=h264,opus video/webm;codecs=vp8,opus', 'video/webm;codecs=h264,opus', false],
  ['video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/mp4;codecs=avc1.42E01E,mp4a.40.2', false],
  ['video/webm;codecs=vp8,opus audio/webm;codecs=opus', 'video/webm;codecs=vp8,opus', true],
  ['audio/webm;codecs=opus', 'audio/webm;codecs=opus', false],
])('of %s the cheapest is recorded', (supported, mimeType, small) => {
  const isSupported = (type: string) => supported.split(' ').includes(type);
  expect(chooseFormat(true, isSupported)).toMatchObject({ mimeType, small });
});

test('what must take less is recorded in another segment: smaller, then sound only', async () => {
  const h264 = 'video/webm;codecs=h264,opus';
  const supported =
    (...types: string[]) =>
    (type: string) =>
      types.includes(type);
  expect(chooseFormat(true, supported(h264), 'small')).toMatchObject({
    mimeType: h264,
    small: true,
  });
  expect(lessDetail('full', supported(h264))).toBe('small');
  expect(lessDetail('small', supported(h264))).toBe('sound');
  expect(lessDetail('sound', supported(h264))).toBe(null);
  // VP8 is small from the beginning.
  expect(lessDetail('full', supported('video/webm;codecs=vp8,opus'))).toBe('sound');
  const { recorder, begun, heard } = open();
  recorder.follow({ audio: track('audio'), video: track('video') });
  FakeRecorder.made[0]?.emit('a');
  recorder.reduce('sound');
  await recorder.stop();
  expect(begun.map(({ hasVideo }) => hasVideo)).toEqual([true, false]);
  await vi.waitFor(() => expect(heard).toContain('0 has 2'));
});

test('a segment begins when its recorder is started, however late a busy page hears of it', async () => {
  FakeRecorder.startsLate = true;
  vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
  try {
    const { recorder, begun } = open();
    recorder.follow({ audio: track('audio'), video: null });
    vi.setSystemTime(1_250);
    FakeRecorder.made[0]?.onstart();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    expect(begun[0]?.startedAt).toBe(1_000);
  } finally {
    vi.useRealTimers();
  }
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryPartStore, type SegmentRecord } from './part-store.ts';
import type { Begun, RecordingServer, Reply } from './recording-server.ts';
import { Uploader, type UploaderOptions } from './uploader.ts';

const partMs = 2_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Stores parts like the server: the first content of a number counts, and each arrives after those before it. */
class StandIn implements RecordingServer {
  readonly segments = new Map<string, { parts: string[]; partCount: number | null }>();
  readonly posters: string[] = [];
  requests = 0;
  repeated = 0;
  /** What the next requests are answered instead. */
  fails: () => Reply | null = () => null;

  async begin({ key }: SegmentRecord): Promise<Begun | Exclude<Reply, 'kept'>> {
    const failure = this.#request();
    if (failure && failure !== 'kept') return failure;
    this.segments.set(key, { parts: [], partCount: null });
    return { segmentId: key, uploadToken: `token of ${key}` };
  }

  async putPart({ segmentId }: Begun, number: number, content: Blob): Promise<Reply> {
    const failure = this.#request();
    // Half of the failures lose the answer, not the request.
    const isLost = failure === 'retry' && this.requests % 2 === 0;
    if (failure === null || isLost) {
      const { parts } = this.segments.get(segmentId) ?? expect.fail(`no segment ${segmentId}`);
      const text = await content.text();
      if (parts[number] !== undefined) this.repeated += 1;
      expect([parts[number] ?? text, number]).toEqual([text, Math.min(number, parts.length)]);
      parts[number] = text;
    }
    return failure ?? 'kept';
  }

  async putPoster({ segmentId }: Begun, content: Blob): Promise<Reply> {
    const failure = this.#request();
    if (failure === null) this.posters.push(`${segmentId}: ${await content.text()}`);
    return failure ?? 'kept';
  }

  async complete({ segmentId }: Begun, partCount: number): Promise<Reply> {
    const failure = this.#request();
    const segment = this.segments.get(segmentId);
    if (segment && failure === null) segment.partCount = partCount;
    return failure ?? 'kept';
  }

  #request(): Reply | null {
    this.requests += 1;
    return this.fails();
  }
}

const recordOf = (key: string, changed: Partial<SegmentRecord> = {}): SegmentRecord => ({
  key,
  source: 'camera',
  mimeType: 'video/webm',
  hasVideo: true,
  startedAt: Date.now(),
  token: 'meeting',
  callId: 'call',
  ...changed,
});
const contentOf = (key: string, number: number) => new Blob([`${key} ${number}`]);
const partsOf = (key: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${key} ${number}`);

function open(server: StandIn, changed: Partial<UploaderOptions> = {}) {
  const store = changed.store ?? new MemoryPartStore();
  const random = seeded(7);
  return new Uploader({ store, server, random, mayUploadVideo: async () => true, ...changed });
}

/** Records so many parts, one every two seconds. */
async function record(
  uploader: Uploader,
  key: string,
  count: number,
  first = 0,
  changed: Partial<SegmentRecord> = {},
): Promise<void> {
  if (first === 0) await uploader.begin(recordOf(key, changed));
  for (let number = first; number < first + count; number += 1) {
    await uploader.add(key, number, contentOf(key, number));
    await vi.advanceTimersByTimeAsync(partMs);
  }
}

test('an hour arrives whole with 5 % failing requests, two outages of 30 s, and two reloads', async () => {
  const server = new StandIn();
  const random = seeded(1);
  const startedAt = Date.now();
  server.fails = () => {
    const seconds = (Date.now() - startedAt) / 1000;
    const isOut = (seconds > 600 && seconds < 630) || (seconds > 2_000 && seconds < 2_030);
    return isOut || random() < 0.05 ? 'retry' : null;
  };
  const store = new MemoryPartStore();
  const keys = ['one', 'two', 'three'];
  for (const key of keys) {
    const uploader = open(server, { store });
    await uploader.takeOver();
    await record(uploader, key, 600);
    // The page dies: nothing tells the server how many parts there are.
    uploader.close();
  }
  const last = open(server, { store });
  await last.takeOver();
  await vi.advanceTimersByTimeAsync(60_000);
  for (const key of keys) {
    expect(server.segments.get(key)).toEqual({ parts: partsOf(key, 600), partCount: 600 });
  }
  expect(server.repeated).toBeGreaterThan(0);
  expect(last.getSnapshot()).toEqual({ bytesLeft: 0, trouble: null, refused: false });
  expect(await store.segments()).toEqual([]);
});

test('a failure shows at once, and goes when the server takes parts again', async () => {
  const server = new StandIn();
  const uploader = open(server);
  await record(uploader, 'one', 1);
  server.fails = () => 'full';
  await record(uploader, 'one', 2, 1);
  expect(uploader.getSnapshot()).toMatchObject({ trouble: 'full', bytesLeft: 10 });
  const before = server.requests;
  await record(uploader, 'one', 30, 3);
  // A new part does not end the wait for the next try.
  expect(server.requests - before).toBeLessThan(40);
  server.fails = () => null;
  await vi.advanceTimersByTimeAsync(6_000);
  uploader.finish('one', 33);
  await vi.advanceTimersByTimeAsync(0);
  expect(server.segments.get('one')).toEqual({ parts: partsOf('one', 33), partCount: 33 });
  expect(uploader.getSnapshot()).toMatchObject({ trouble: null, bytesLeft: 0 });
});

test('video waits while the call has too little bandwidth, and sound does not', async () => {
  const server = new StandIn();
  let isStarved = true;
  const uploader = open(server, { mayUploadVideo: async () => !isStarved });
  await uploader.begin(recordOf('sound', { hasVideo: false }));
  await uploader.add('sound', 0, contentOf('sound', 0));
  await record(uploader, 'video', 5);
  expect(server.segments.get('sound')?.parts).toEqual(partsOf('sound', 1));
  expect(server.segments.get('video')?.parts).toEqual([]);
  isStarved = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.segments.get('video')?.parts).toEqual(partsOf('video', 5));
});

test('who withdraws has nothing more sent, and nothing is kept', async () => {
  const server = new StandIn();
  const store = new MemoryPartStore();
  const onWithdrawn = vi.fn();
  const uploader = open(server, { store, onWithdrawn });
  await record(uploader, 'one', 2);
  server.fails = () => 'withdrawn';
  await record(uploader, 'one', 3, 2);
  const { requests } = server;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onWithdrawn).toHaveBeenCalledOnce();
  expect(server.requests).toBe(requests);
  expect(server.segments.get('one')?.parts).toEqual(partsOf('one', 2));
  expect([await store.segments(), uploader.getSnapshot().bytesLeft]).toEqual([[], 0]);
});

test('a page leaves alone what another open page records', async () => {
  const server = new StandIn();
  const store = new MemoryPartStore();
  await record(open(server, { store }), 'theirs', 1);
  const sent = server.requests;
  const other = open(server, { store, claim: async () => false });
  await other.takeOver();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.requests).toBe(sent);
  expect(await store.segments()).toHaveLength(1);
});

test('a segment that the server refuses is given up, and the next one is sent', async () => {
  const server = new StandIn();
  server.fails = () => (server.requests === 1 ? 'refused' : null);
  const uploader = open(server);
  await record(uploader, 'one', 1);
  await record(uploader, 'two', 2);
  expect(uploader.getSnapshot()).toMatchObject({ refused: true, bytesLeft: 0 });
  expect(server.segments.get('two')?.parts).toEqual(partsOf('two', 2));
});

test('posters are sent before the segment is complete, yield to the call like video, and are tried once', async () => {
  const server = new StandIn();
  let isStarved = true;
  const uploader = open(server, { mayUploadVideo: async () => !isStarved });
  await record(uploader, 'one', 1);
  uploader.poster('one', new Blob(['dark']));
  uploader.poster('one', new Blob(['face']));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.posters).toEqual([]);
  isStarved = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.posters).toEqual(['one: face']);
  server.fails = () => 'retry';
  uploader.poster('one', new Blob(['lost']));
  await vi.advanceTimersByTimeAsync(0);
  server.fails = () => null;
  uploader.finish('one', 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(server.posters).toEqual(['one: face']);
  expect(server.segments.get('one')?.partCount).toBe(1);
  expect(uploader.getSnapshot()).toMatchObject({ trouble: null, refused: false });
});

test('what is about to be sent when the participant withdraws is not, nor is what a recorder hands on afterward', async () => {
  const server = new StandIn();
  const store = new MemoryPartStore();
  const uploader = open(server, { store });
  await record(uploader, 'one', 1);
  const read = Promise.withResolvers<void>();
  vi.spyOn(store, 'part').mockImplementationOnce(async () => {
    await read.promise;
    return contentOf('one', 1);
  });
  await uploader.add('one', 1, contentOf('one', 1));
  await uploader.discard('call');
  read.resolve();
  await uploader.add('one', 2, contentOf('one', 2));
  uploader.finish('one', 3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.segments.get('one')).toEqual({ parts: partsOf('one', 1), partCount: null });
  expect(await store.segments()).toEqual([]);
});

test('R32-B7: what is kept of another call, whosever it is, stays when someone withdraws from this one', async () => {
  const server = new StandIn();
  const store = new MemoryPartStore();
  server.fails = () => 'retry';
  const earlier = open(server, { store });
  await record(earlier, 'theirs', 2, 0, { callId: 'another call' });
  earlier.close();
  const onWithdrawn = vi.fn();
  const uploader = open(server, { store, onWithdrawn });
  await uploader.takeOver();
  await record(uploader, 'own', 1);
  await uploader.discard('call');
  expect((await store.segments()).map(({ key }) => key)).toEqual(['theirs']);
  server.fails = () => null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.segments.get('theirs')).toEqual({ parts: partsOf('theirs', 2), partCount: 2 });
  // Nor does an earlier call end the recording of this one.
  await record(uploader, 'earlier', 1, 0, { callId: 'another call' });
  server.fails = () => 'withdrawn';
  await record(uploader, 'earlier', 2, 1, { callId: 'another call' });
  expect(onWithdrawn).toHaveBeenCalledExactlyOnceWith('another call');
});

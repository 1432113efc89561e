import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeConnection } from '../fakes.ts';
import { Packets } from './packets.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection on which packets arrive while `flows` is true. */
function receiving() {
  const connection = new FakeConnection();
  const { receiver } = connection.addTransceiver('audio', {});
  let rtpTimestamp = 0;
  const state = { connection, flows: true };
  receiver.getSynchronizationSources = () => {
    if (state.flows) rtpTimestamp += 960;
    return [{ source: 7, timestamp: 0, rtpTimestamp }];
  };
  return state;
}

/** Asks as the heartbeat does. */
function askFor(ms: number, packets: Packets, connections: FakeConnection[]): boolean[] {
  const answers: boolean[] = [];
  for (let now = 0; now < ms; now += 200) {
    vi.advanceTimersByTime(200);
    answers.push(packets.arriveOn(connections));
  }
  return answers;
}

test('packets arrive from the second look on, until 600 ms after the last', () => {
  const packets = new Packets();
  const ada = receiving();
  expect(askFor(600, packets, [ada.connection])).toEqual([false, true, true]);
  ada.flows = false;
  expect(askFor(1_000, packets, [ada.connection])).toEqual([true, true, false, false, false]);
  ada.flows = true;
  expect(askFor(200, packets, [ada.connection])).toEqual([true]);
});

test('they must arrive on each connection, and without any they do not', () => {
  const packets = new Packets();
  const ada = receiving();
  const bo = receiving();
  askFor(400, packets, [ada.connection, bo.connection]);
  bo.flows = false;
  expect(askFor(1_000, packets, [ada.connection, bo.connection]).at(-1)).toBe(false);
  expect(askFor(400, packets, [ada.connection]).at(-1)).toBe(true);
  expect(packets.arriveOn([])).toBe(false);
});

test('a connection without any packet, or in a browser that does not report them, receives nothing', () => {
  const packets = new Packets();
  const silent = new FakeConnection();
  silent.addTransceiver('audio', {}).receiver.getSynchronizationSources = () => [];
  const old = new FakeConnection();
  old.addTransceiver('audio', {});
  expect(askFor(600, packets, [silent])).toEqual([false, false, false]);
  expect(askFor(600, packets, [old])).toEqual([false, false, false]);
});

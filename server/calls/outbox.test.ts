import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveSession } from './live-session.ts';
import type { Outgoing } from './room-events.ts';

let now: number;
beforeEach(() => {
  now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.restoreAllMocks());

/** A panel, and what its socket is sent. A long message takes a millisecond to write. */
function openPanel() {
  const written: string[] = [];
  const socket = {
    bufferedAmount: 0,
    send: (part: string | Buffer) => {
      if (typeof part !== 'string') now += 1;
      const type = /"type":"([a-z]+)"/.exec(String(part))?.[1];
      if (type) written.push(type);
    },
    close: (code: number) => written.push(`closed ${code}`),
  };
  const session = new LiveSession('panel', 'org');
  session.attach(socket as never, { type: 'welcome' } as never, 0);
  return { session, written };
}
const longNote = (): Outgoing => ({ type: 'note', callId: 'call', update: 'a'.repeat(300_000) });
const saved: Outgoing = { type: 'saved', id: 'edit', savedAt: '2026-11-28T12:00:00Z' };

test('R26-B3: a long message to many panels does not hold the loop until all have it', async () => {
  const panels = Array.from({ length: 100 }, openPanel);
  const note = longNote();
  for (const { session } of panels) session.send(note);
  const have = () => panels.filter(({ written }) => written.includes('note')).length;
  expect(have()).toBeGreaterThan(0);
  expect(have()).toBeLessThan(20);
  let before = have();
  while (before < panels.length) {
    await setImmediate();
    expect(have() - before).toBeLessThan(20);
    before = have();
  }
});

test('R26-B3: what a panel is sent behind a long message comes after it, and the end last', async () => {
  const panels = Array.from({ length: 30 }, openPanel);
  for (const message of [longNote(), saved, longNote()]) {
    for (const { session } of panels) session.send(message);
  }
  for (const { session } of panels) {
    session.pong();
    session.close(4401, 'over');
  }
  const all = ['welcome', 'note', 'saved', 'note', 'pong', 'closed 4401'];
  await expect.poll(() => panels.every(({ written }) => written.length >= all.length)).toBe(true);
  for (const { written } of panels) expect(written).toEqual(all);
});

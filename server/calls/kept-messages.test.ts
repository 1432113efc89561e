import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { LiveSession } from './live-session.ts';
import { Replays } from './replays.ts';

const note = (text: string, length: number) => ({
  type: 'note' as const,
  callId: 'c',
  update: text.repeat(length),
});
const newSession = (of: string) => new LiveSession('meeting', of);

test('R9-1: what the pages of an organization acknowledge to no one is bounded together', () => {
  const others = newSession('others');
  others.send(note('x', 10_000));
  const sessions = Array.from({ length: 400 }, () => newSession('crowd'));
  for (let round = 0; round < 10; round += 1) {
    for (const session of sessions) session.send(note('x', 15_000));
  }
  const kept = sessions.filter((session) => session.canResume(0)).length;
  expect(kept * 10 * 15_000).toBeLessThan(30 * 1024 * 1024);
  expect(kept).toBeGreaterThan(0);
  expect(others.canResume(0)).toBe(true);
});

test('R9-1: text that takes two bytes for each character counts twice', () => {
  const [narrow, wide] = [newSession('narrow'), newSession('wide')];
  for (let n = 0; n < 12; n += 1) {
    narrow.send(note('x', 15_000));
    wide.send(note('ā', 15_000));
  }
  expect([narrow.canResume(0), wide.canResume(0)]).toEqual([true, false]);
});

test('R9-2: a session keeps 256 messages, and keeps nothing after its end', () => {
  const session = newSession('one');
  for (let n = 0; n < 257; n += 1) session.send({ type: 'call-ended', callId: 'c', endedAt: '' });
  expect([0, 1].map((seen) => session.canResume(seen))).toEqual([false, true]);
  session.close(1000, 'left');
  session.send({ type: 'call-ended', callId: 'c', endedAt: '' });
  expect(session.canResume(257)).toBe(false);
});

test('R9-2: pages that missed many messages resume at a rate of their organization', () => {
  const replays = new Replays({ RATE_LIMIT_SCALE: 1 });
  const org = newId(orgId);
  const session = newSession(org);
  for (let n = 0; n < 200; n += 1) session.send({ type: 'call-ended', callId: 'c', endedAt: '' });
  const resume = (sequence: number, of = org) =>
    replays.resumeAfter(of, session, { session: session.id, sequence });
  const answers = Array.from({ length: 20 }, () => resume(0));
  expect(answers.slice(0, 10)).toEqual(Array(10).fill(0));
  expect(answers.at(-1)).toBe(null);
  expect(resume(201), 'a message that was never sent').toBe(null);
  expect(resume(195), 'few missed messages are always replayed').toBe(195);
  expect(resume(0, newId(orgId)), 'another organization').toBe(0);
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Caption } from '#domain/calls/caption.ts';
import type { ToBrowser } from '#domain/calls/live.ts';
import { Captions, captionsKey } from './captions.ts';

const line = (id: string, text = 'Hello'): Caption => ({
  id,
  participantId: 'p',
  kind: 'guest',
  name: 'Cleo',
  startMs: 0,
  endMs: 1000,
  language: null,
  text,
});
function open() {
  let hear: (message: ToBrowser) => void = () => undefined;
  const captions = new Captions(localStorage, (listener) => {
    hear = listener;
  });
  return { captions, hear };
}
beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('are offered once somebody is transcribed, and shown to those who chose so', () => {
  const { captions, hear } = open();
  expect(captions.getSnapshot()).toMatchObject({ isAvailable: false, isShown: false });
  hear({ type: 'captions-state', sequence: 1, isWorking: true });
  expect(captions.getSnapshot().isAvailable).toBe(true);
  captions.show(true);
  expect(localStorage.getItem(captionsKey)).toBe('true');
  expect(open().captions.getSnapshot().isShown).toBe(true);
});

test('the newest three stay for a while; one that comes twice is shown once', () => {
  const { captions, hear } = open();
  for (const id of ['a', 'b', 'b', 'c', 'd'])
    hear({ type: 'caption', sequence: 1, line: line(id) });
  expect(captions.getSnapshot().lines.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
  vi.advanceTimersByTime(7000);
  expect(captions.getSnapshot().lines).toEqual([]);
});

test('an interruption is shown until it ends, and another call starts without captions', () => {
  const { captions, hear } = open();
  hear({ type: 'captions-state', sequence: 1, isWorking: false });
  expect(captions.getSnapshot().isWorking).toBe(false);
  hear({ type: 'call-ended', sequence: 2, callId: 'c', endedAt: '' });
  expect(captions.getSnapshot()).toMatchObject({ isAvailable: false, isWorking: true });
});

test('words that are being said are shown until their line comes, or no more words do', () => {
  const { captions, hear } = open();
  const say = (participantId: string, text: string) =>
    hear({ type: 'interim-caption', sequence: 1, participantId, name: 'Cleo', text });
  const said = () => captions.getSnapshot().interim.map(({ text }) => text);
  say('p', 'We will');
  say('other', 'Yes');
  say('p', 'We will send it');
  expect(said()).toEqual(['We will send it', 'Yes']);
  hear({ type: 'caption', sequence: 2, line: line('a', 'We will send it.') });
  expect(said()).toEqual(['Yes']);
  vi.advanceTimersByTime(5000);
  expect(said()).toEqual([]);
  say('p', 'Never');
  say('p', '');
  expect(said()).toEqual([]);
});

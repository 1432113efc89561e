// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  closeFrame,
  frameAddress,
  onMeetingMessage,
  openFrame,
  placeFrame,
} from '#web/calls/call-frame.ts';

beforeEach(() => {
  document.body.innerHTML = '<div id="stage"></div><div id="root"></div>';
});
afterEach(closeFrame);

const frame = () => document.querySelector('iframe');
const address = '/meet/r?t=x';

function say(data: unknown, from: Partial<{ source: unknown; origin: string }> = {}) {
  const source = from.source ?? frame()?.contentWindow;
  const origin = from.origin ?? window.location.origin;
  window.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }));
}

test('the token is added to the room’s address', () => {
  const meetingToken = 'a+b';
  expect(frameAddress({ dailyUrl: 'https://x/meet/r', meetingToken })).toBe(
    'https://x/meet/r?t=a%2Bb',
  );
  expect(frameAddress({ dailyUrl: 'https://x/r?lang=en', meetingToken })).toBe(
    'https://x/r?lang=en&t=a%2Bb',
  );
});

test('without address or token, and for the mock, frameAddress is null', () => {
  expect(frameAddress({ dailyUrl: '', meetingToken: 'a' })).toBe(null);
  expect(frameAddress({ dailyUrl: 'https://x/r', meetingToken: '' })).toBe(null);
  expect(frameAddress({ dailyUrl: 'https://x/mock-video/r', meetingToken: 'a' })).toBe(null);
});

test('the frame is beside the application and allows camera, microphone, fullscreen and screen capture', () => {
  openFrame(address);
  expect(frame()?.parentElement?.id).toBe('stage');
  for (const permission of ['camera', 'microphone', 'fullscreen', 'display-capture'])
    expect(frame()?.getAttribute('allow')).toContain(permission);
});

test('opening the same call again keeps its frame; another call gets a new one', () => {
  openFrame(address);
  const first = frame();
  placeFrame({ top: 1, left: 2, width: 3, height: 4 });
  openFrame(address);
  expect(frame()).toBe(first);
  expect(first?.style.width).toBe('3px');
  openFrame('/meet/other?t=y');
  expect(frame()).not.toBe(first);
  expect(document.querySelectorAll('iframe').length).toBe(1);
});

test('a listener receives messages that the meeting sent before', () => {
  openFrame(address);
  say('ready');
  const heard: unknown[] = [];
  const stop = onMeetingMessage((message) => heard.push(message));
  say('joined');
  stop();
  expect(heard).toEqual(['ready', 'joined']);
});

test('messages of another window or another origin are ignored', () => {
  openFrame(address);
  const heard: unknown[] = [];
  const stop = onMeetingMessage((message) => heard.push(message));
  say('forged', { source: window });
  say('forged', { origin: 'https://evil.example' });
  stop();
  expect(heard).toEqual([]);
});

import { expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { endingOf } from '#web/meet/ending.ts';
import texts from '../../texts/en/meet.json';
import laterTexts from '../../texts/en/meet-later.json';
import { deviceProblem, deviceProblems, obstacle } from './device-problem.ts';

const whatToDo = /Open |Plug |Click |Tap |Let |Allow |Ask |Close |Choose |Try /;
const asked = { permission: 'denied', allowedInFrame: true } as const;
const error = (name: string, message = '') => new DOMException(message, name);

test.each([
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['OverconstrainedError', 'unsuitable'],
  ['AbortError', 'interrupted'],
  ['SecurityError', 'blocked'],
  ['NotAllowedError', 'blocked'],
  ['SomethingNew', 'unknown'],
])('an error named %s is the problem %s', (name, problem) => {
  expect(deviceProblem(error(name), asked)).toBe(problem);
});

test('a refusal by the system is distinguished from one by the browser', () => {
  const bySystem = error('NotAllowedError', 'Permission denied by system');
  expect(deviceProblem(bySystem, asked)).toBe('blockedBySystem');
  const refusedThoughGranted = { permission: 'granted', allowedInFrame: true } as const;
  expect(deviceProblem(error('NotAllowedError'), refusedThoughGranted)).toBe('blockedBySystem');
});

test('a dismissed permission prompt is distinguished from a refusal', () => {
  const dismissed = error('NotAllowedError', 'Permission dismissed');
  expect(deviceProblem(dismissed, { ...asked, permission: 'unknown' })).toBe('dismissed');
  expect(deviceProblem(error('NotAllowedError'), { ...asked, permission: 'prompt' })).toBe(
    'dismissed',
  );
});

test('a frame without permission to use the device is blockedByFrame', () => {
  expect(deviceProblem(error('NotAllowedError'), { ...asked, allowedInFrame: false })).toBe(
    'blockedByFrame',
  );
});

test('an address without HTTPS is insecure before any device is requested', () => {
  expect(obstacle({ isSecureContext: false, hasMediaDevices: false })).toBe('insecure');
  expect(obstacle({ isSecureContext: true, hasMediaDevices: false })).toBe('unsupported');
  expect(obstacle({ isSecureContext: true, hasMediaDevices: true })).toBeNull();
});

test('each problem has a text for each device and for both, with what to do', () => {
  for (const problem of deviceProblems) {
    const { audio, video, both } = laterTexts.problem[problem];
    expect(audio).toMatch(/microphone/i);
    expect(video).toMatch(/camera/i);
    expect(both).toMatch(/camera/i);
    for (const sentence of [audio, video, both]) {
      if (/^blocked(BySystem)?$/.test(problem)) continue;
      expect(sentence).toMatch(whatToDo);
    }
  }
});

test('each browser and each system has its own instructions for a refused device', () => {
  const { allowSite, allowBrowser } = laterTexts;
  const all = [...Object.values(allowSite), ...Object.values(allowBrowser)];
  for (const sentence of all) expect(sentence).toMatch(whatToDo);
  expect(new Set(all).size).toBe(all.length);
});

test('each close code of the server has its own title and text', () => {
  const codes = Object.values(closeCodes).filter((code) => code !== closeCodes.silent);
  const titles = codes.map((code) => texts.ending[endingOf(code)].title);
  expect(new Set(titles).size).toBe(codes.length);
  expect(endingOf(4999)).toBe('badMessage');
});

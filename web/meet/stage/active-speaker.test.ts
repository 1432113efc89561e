import { expect, test } from 'vitest';
import { type Levels, nextActive, nextLevels, speakingIn } from './active-speaker.ts';

const hear = (levels: Levels, ...windows: Record<string, number>[]) =>
  windows.reduce((before, peaks) => nextLevels(before, new Map(Object.entries(peaks))), levels);
const nobody: Levels = new Map();

test('a speaker is detected within half a second, and a short pause does not end it', () => {
  const begun = hear(nobody, { ada: 0.2, bo: 0 });
  expect(speakingIn(begun)).toEqual(['ada']);
  expect(speakingIn(hear(begun, { ada: 0, bo: 0 }, { ada: 0, bo: 0 }))).toEqual(['ada']);
});

test('two seconds of silence end it, and noise is not speech', () => {
  const silence = { ada: 0.005, bo: 0.005 };
  expect(speakingIn(hear(nobody, { ada: 0.3 }, silence, silence, silence, silence))).toEqual([]);
});

test('the last speaker stays active until another one is clearly louder', () => {
  let levels = hear(nobody, { ada: 0.2, bo: 0.01 });
  expect(nextActive(null, levels)).toBe('ada');
  levels = hear(levels, { ada: 0.2, bo: 0.25 }, { ada: 0.2, bo: 0.25 });
  expect(nextActive('ada', levels)).toBe('ada');
  levels = hear(levels, { ada: 0, bo: 0.25 }, { ada: 0, bo: 0.25 });
  expect(nextActive('ada', levels)).toBe('bo');
  const quiet = { ada: 0, bo: 0 };
  expect(nextActive('bo', hear(levels, quiet, quiet, quiet, quiet))).toBe('bo');
});

test('a participant who has left is not active', () => {
  const levels = hear(nobody, { ada: 0.2, bo: 0 }, { bo: 0 });
  expect(nextActive('ada', levels)).toBe(null);
});

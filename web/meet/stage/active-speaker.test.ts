import { expect, test } from 'vitest';
import { type Levels, nextActive, nextLevels, speakingIn } from './active-speaker.ts';

const hear = (levels: Levels, ...windows: Record<string, number>[]) =>
  windows.reduce((before, peaks) => nextLevels(before, new Map(Object.entries(peaks))), levels);
const nobody: Levels = new Map();

test('who speaks is known within half a second, and a pause for breath does not end it', () => {
  const begun = hear(nobody, { ada: 0.2, bo: 0 });
  expect(speakingIn(begun)).toEqual(['ada']);
  expect(speakingIn(hear(begun, { ada: 0, bo: 0 }, { ada: 0, bo: 0 }))).toEqual(['ada']);
});

test('after two seconds of silence nobody speaks any longer, and noise is not speech', () => {
  const silence = { ada: 0.005, bo: 0.005 };
  expect(speakingIn(hear(nobody, { ada: 0.3 }, silence, silence, silence, silence))).toEqual([]);
});

test('the large picture stays with who spoke last, and goes over to who is clearly louder', () => {
  let levels = hear(nobody, { ada: 0.2, bo: 0.01 });
  expect(nextActive(null, levels)).toBe('ada');
  levels = hear(levels, { ada: 0.2, bo: 0.25 }, { ada: 0.2, bo: 0.25 });
  expect(nextActive('ada', levels)).toBe('ada');
  levels = hear(levels, { ada: 0, bo: 0.25 }, { ada: 0, bo: 0.25 });
  expect(nextActive('ada', levels)).toBe('bo');
  const quiet = { ada: 0, bo: 0 };
  expect(nextActive('bo', hear(levels, quiet, quiet, quiet, quiet))).toBe('bo');
});

test('who has left is nobody to show', () => {
  const levels = hear(nobody, { ada: 0.2, bo: 0 }, { bo: 0 });
  expect(nextActive('ada', levels)).toBe(null);
});

import { expect, test } from 'vitest';
import { savedAgo, saveStatus } from '#web/calls/save-status.ts';

const at = Date.parse('2026-03-04T10:00:00Z');
const after = (seconds: number) => savedAgo(at, at + seconds * 1000);

test('last saved is just now, seconds, minutes, and then a clock time', () => {
  expect(after(0)).toBe('just now');
  expect(after(4)).toBe('just now');
  expect(after(30)).toBe('30 seconds ago');
  expect(after(60)).toBe('1 minute ago');
  expect(after(3599)).toBe('59 minutes ago');
  expect(after(3600)).toMatch(/^\d{1,2}:\d{2}/);
  expect(after(-20), 'a clock that went back').toBe('just now');
});

test('the status is Saving... from the first unsaved edit until everything is acknowledged', () => {
  const before = { unsaved: false, savedAt: null, refused: null };
  expect(saveStatus(before)).toBe('');
  expect(saveStatus({ ...before, unsaved: true })).toBe('Saving...');
  expect(saveStatus({ ...before, savedAt: at, unsaved: true })).toBe('Saving...');
  expect(saveStatus({ ...before, savedAt: at })).toBe('Auto-saved');
  expect(saveStatus({ ...before, refused: 'Too long.', unsaved: true })).toBe(
    'Not saved: Too long.',
  );
});

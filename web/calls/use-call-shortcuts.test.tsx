// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeFrame } from '#web/calls/call-frame.ts';
import { useCallShortcuts } from '#web/calls/use-call-shortcuts.ts';
import { openMeeting } from '#web/testing/keep-call.ts';

let told: object[];
beforeEach(() => {
  ({ told } = openMeeting());
});
afterEach(closeFrame);

function Page({ isJoined }: { isJoined: boolean }) {
  useCallShortcuts(isJoined);
  return <button type="button">Elsewhere</button>;
}

/** Returns whether the browser's own function of the keys was prevented. */
function press(init: KeyboardEventInit) {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  screen.getByRole('button').dispatchEvent(event);
  return event.defaultPrevented;
}

const mute = { key: 'd', code: 'KeyD', ctrlKey: true };

test('the meeting hears a shortcut that is pressed elsewhere on the page, in place of the browser', () => {
  render(<Page isJoined />);
  expect(press(mute)).toBe(true);
  expect(told).toEqual([{ rapport: 1, type: 'shortcut', action: 'microphone' }]);
});

test('other keys are left to the browser', () => {
  render(<Page isJoined />);
  expect(press({ key: 'd', code: 'KeyD' })).toBe(false);
  expect(told).toEqual([]);
});

test('a key that is held down acts once', () => {
  render(<Page isJoined />);
  press(mute);
  expect(press({ ...mute, repeat: true }), 'the browser’s bookmark stays closed').toBe(true);
  expect(told).toHaveLength(1);
});

test('a key that something else on the page has used does nothing', () => {
  render(<Page isJoined />);
  screen.getByRole('button').addEventListener('keydown', (event) => event.preventDefault());
  press(mute);
  expect(told).toEqual([]);
});

test('before this person has joined, and after the page is left, nothing is heard', () => {
  const { rerender, unmount } = render(<Page isJoined={false} />);
  press(mute);
  expect(told).toEqual([]);
  rerender(<Page isJoined />);
  press(mute);
  expect(told).toHaveLength(1);
  unmount();
  dispatchEvent(new KeyboardEvent('keydown', { ...mute }));
  expect(told).toHaveLength(1);
});

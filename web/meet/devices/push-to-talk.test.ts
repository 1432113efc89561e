// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LocalMedia } from '#web/media/devices/local-media.ts';
import { followSpace } from './push-to-talk.ts';

let media: LocalMedia;
let stop: () => void;
const isOn = () => media.getSnapshot().wished.audio;
const key = (type: 'keydown' | 'keyup', target: EventTarget = document.body, repeat = false) =>
  target.dispatchEvent(
    new KeyboardEvent(type, { code: 'Space', key: ' ', bubbles: true, cancelable: true, repeat }),
  );

beforeEach(() => {
  media = new LocalMedia({ audio: false, video: false }, {});
  stop = followSpace(media);
});
afterEach(() => stop());

test('a muted microphone is on while Space is held', () => {
  key('keydown');
  key('keydown', document.body, true);
  expect(isOn()).toBe(true);
  key('keyup');
  expect(isOn()).toBe(false);
});

test('Space does not change a microphone that is on', () => {
  void media.switch('audio', true);
  key('keydown');
  key('keyup');
  expect(isOn()).toBe(true);
});

test('Space in a field or on a button does not unmute', () => {
  for (const name of ['input', 'textarea', 'button']) {
    const element = document.body.appendChild(document.createElement(name));
    key('keydown', element);
    expect(isOn()).toBe(false);
    element.remove();
  }
});

test('leaving the window or the call while Space is held mutes again', () => {
  key('keydown');
  dispatchEvent(new Event('blur'));
  expect(isOn()).toBe(false);
  key('keydown');
  stop();
  expect(isOn()).toBe(false);
});

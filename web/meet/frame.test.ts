import { expect, test } from 'vitest';
import { Frame } from './frame.ts';

/** A framed window, with the members that Frame uses. */
function framed(origin = 'https://rapport.test') {
  const posted: unknown[][] = [];
  const listeners: ((event: MessageEvent) => void)[] = [];
  const around = {
    get location() {
      if (origin !== 'https://rapport.test') throw new DOMException('of another site');
      return { origin };
    },
    postMessage: (...args: unknown[]) => void posted.push(args),
  };
  const inside = {
    parent: around,
    location: { origin: 'https://rapport.test' },
    addEventListener: (_type: 'message', listener: (event: MessageEvent) => void) =>
      void listeners.push(listener),
  };
  const hears = (data: unknown, origin: string, source: unknown) => {
    const event = new MessageEvent('message', { data, origin });
    Object.defineProperty(event, 'source', { value: source });
    for (const listener of listeners) listener(event);
  };
  return { posted, around, inside, hears };
}
const leave = { rapport: 1, type: 'leave' };

test('posts to the embedding page on its own origin only', () => {
  const { posted, inside } = framed();
  new Frame(inside).post({ type: 'joined' });
  expect(posted).toEqual([[{ rapport: 1, type: 'joined' }, 'https://rapport.test']]);
});

test('accepts messages from the embedding page, and from no other page', () => {
  const { inside, around, hears } = framed();
  let left = 0;
  new Frame(inside).onLeave(() => {
    left += 1;
  });
  hears(leave, 'https://evil.test', around);
  hears(leave, 'https://rapport.test', {});
  hears({ type: 'leave' }, 'https://rapport.test', around);
  expect(left).toBe(0);
  hears(leave, 'https://rapport.test', around);
  expect(left).toBe(1);
});

test('shows the theme that the embedding page sends, and leaves only on request', () => {
  const { inside, around, hears } = framed();
  const said: unknown[] = [];
  const frame = new Frame(inside);
  frame.onTheme((theme) => said.push(theme));
  frame.onLeave(() => said.push('left'));
  const theme = (name: string | null) => ({ rapport: 1, type: 'theme', theme: name });
  hears(theme('dark'), 'https://evil.test', around);
  hears(theme('dark'), 'https://rapport.test', around);
  hears(theme(null), 'https://rapport.test', around);
  expect(said).toEqual(['dark', null]);
});

test('in a frame of another site it posts nothing and accepts no messages', () => {
  const { posted, inside, around, hears } = framed('https://shop.test');
  const frame = new Frame(inside);
  expect(frame.isFramed).toBe(false);
  let left = 0;
  frame.onLeave(() => {
    left += 1;
  });
  frame.post({ type: 'joined' });
  hears(leave, 'https://shop.test', around);
  expect([posted, left]).toEqual([[], 0]);
});

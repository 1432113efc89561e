import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handshake } from '#domain/embedding/channel.ts';
import { EmbedderPort, type FramedWindow } from './embedder-port.ts';
import { followEmbedder } from './follow-embedder.ts';

const shop = 'https://shop.test';

/** A meeting page in a frame, and what reaches the page around it. */
function framed() {
  const posted: unknown[][] = [];
  const listeners: ((event: MessageEvent) => void)[] = [];
  const parent = { postMessage: (...args: unknown[]) => void posted.push(args) };
  const inside: FramedWindow = {
    parent,
    addEventListener: (_type, listener) => void listeners.push(listener),
  };
  /** Sends a handshake to the page. @returns what comes back through the port */
  const connect = (
    origin = shop,
    source: unknown = parent,
    data: unknown = handshake('connect'),
  ) => {
    const { port1, port2 } = new MessageChannel();
    const heard: { type: string; code?: string }[] = [];
    port1.onmessage = (event) => void heard.push(event.data);
    const event = new MessageEvent('message', { data, origin, ports: [port2] });
    Object.defineProperty(event, 'source', { value: source });
    for (const listener of listeners) listener(event);
    return { port: port1, heard };
  };
  return { posted, inside, connect };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

function portOf(inside: FramedWindow) {
  const connected: string[] = [];
  const commands: string[] = [];
  const port = new EmbedderPort({
    inside,
    origins: [shop],
    onConnect: (origin) => void connected.push(origin),
    onCommand: ({ type }) => void commands.push(type),
  });
  return { port, connected, commands };
}

test('the page says only that it is ready, and connects to one listed page around it, once', () => {
  const { posted, inside, connect } = framed();
  const { connected } = portOf(inside);
  expect(posted).toEqual([[{ rapport: 'embed', type: 'ready', version: 1 }, '*']]);
  connect('https://evil.test');
  connect(shop, {});
  connect(shop, undefined, { type: 'connect' });
  connect(shop, undefined, { ...handshake('connect'), version: 2 });
  expect(connected).toEqual([]);
  connect();
  connect();
  expect(connected).toEqual([shop]);
});

test('unknown commands are ignored, and a page that floods loses the channel', async () => {
  // Waiting moves the clock by the interval: all of this happens in one second.
  const soon = { interval: 1 };
  vi.setSystemTime(0);
  const { inside, connect } = framed();
  const { commands } = portOf(inside);
  const { port, heard } = connect();
  for (const data of [null, 'leave', { type: 'eval' }, { type: ['leave'] }]) port.postMessage(data);
  port.postMessage({ type: 'mute' });
  await vi.waitFor(() => expect(commands).toEqual(['mute']), soon);
  for (let sent = 0; sent < 1000; sent += 1) port.postMessage({ type: 'unmute' });
  await vi.waitFor(
    () => expect(heard).toMatchObject([{ type: 'error', code: 'too_many_commands' }]),
    soon,
  );
  expect(commands.length).toBeLessThanOrEqual(50);
});

test('a site that is removed from the list loses the channel within a minute', async () => {
  const { inside, connect } = framed();
  const answers: (string[] | null)[] = [[shop], null, []];
  const entry = { kind: 'refused', code: 'embed_token_used', message: 'Used.' } as const;
  followEmbedder({
    inside,
    origins: [shop],
    listedNow: async () => answers.shift() ?? null,
    entry,
    meeting: null,
  });
  const { heard } = connect();
  await vi.waitFor(() =>
    expect(heard).toMatchObject([{ type: 'error', code: 'embed_token_used' }]),
  );
  await vi.advanceTimersByTimeAsync(120_000);
  expect(heard.length).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ code: 'origin_removed' }));
});

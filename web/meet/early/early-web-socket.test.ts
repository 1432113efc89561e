// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';

class Line {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  readyState = 0;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  addEventListener(): void {}
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The events that the caller of openWebSocket receives if the early socket was in that state before. */
async function heard(readyState: number): Promise<string[]> {
  const early = new Line();
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('rapportStarted', { webSocket: early });
  early.readyState = readyState;
  const { openWebSocket } = await import('./early-web-socket.ts');
  const webSocket = openWebSocket();
  expect(webSocket).toBe(early);
  const events: string[] = [];
  webSocket.onopen = () => events.push('open');
  webSocket.onclose = () => events.push('close');
  await Promise.resolve();
  return events;
}

test('an early socket that is already open sends its open event', async () => {
  expect(await heard(Line.OPEN)).toEqual(['open']);
});

test('an early socket that is already closed sends its close event', async () => {
  expect(await heard(Line.CLOSED)).toEqual(['close']);
});

test('an early socket that is still opening sends no event yet', async () => {
  expect(await heard(0)).toEqual([]);
});

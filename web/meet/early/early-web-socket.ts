import { started } from '#web/media/early/started.ts';
import { newWebSocket } from './new-web-socket.ts';

/** The WebSocket that the page's first script opened. */
let early: WebSocket | null = started().webSocket ?? null;

const opened = new Promise<void>((resolve) => {
  if (early === null || early.readyState > WebSocket.OPEN) resolve();
  if (early?.readyState === WebSocket.OPEN) setTimeout(resolve);
  early?.addEventListener('open', () => setTimeout(resolve), { once: true });
  early?.addEventListener('close', () => resolve(), { once: true });
});

/** Settles when the early socket has sent its first message, or has failed. */
export const webSocketOpens = (): Promise<void> => opened;

/** Returns the early socket once, and a new one afterwards. Events that it had before are sent again. */
export function openWebSocket(): WebSocket {
  const webSocket = early ?? newWebSocket();
  early = null;
  queueMicrotask(() => {
    if (webSocket.readyState === WebSocket.OPEN) webSocket.onopen?.(new Event('open'));
    if (webSocket.readyState === WebSocket.CLOSED) webSocket.onclose?.(new CloseEvent('close'));
  });
  return webSocket;
}

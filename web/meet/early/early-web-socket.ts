import { started } from '#web/media/early/started.ts';
import { newWebSocket } from './new-web-socket.ts';

/** The line to the server that the page's first script opened. */
let early: WebSocket | null = started().webSocket ?? null;

const opened = new Promise<void>((resolve) => {
  if (early === null || early.readyState > WebSocket.OPEN) resolve();
  if (early?.readyState === WebSocket.OPEN) setTimeout(resolve);
  early?.addEventListener('open', () => setTimeout(resolve), { once: true });
  early?.addEventListener('close', () => resolve(), { once: true });
});

/** Settles when the early line has said what is said first, or came to nothing. */
export const webSocketOpens = (): Promise<void> => opened;

/** The early line, once; afterwards a new one each time. What befell it before is told to its taker. */
export function openWebSocket(): WebSocket {
  const webSocket = early ?? newWebSocket();
  early = null;
  queueMicrotask(() => {
    if (webSocket.readyState === WebSocket.OPEN) webSocket.onopen?.(new Event('open'));
    if (webSocket.readyState === WebSocket.CLOSED) webSocket.onclose?.(new CloseEvent('close'));
  });
  return webSocket;
}

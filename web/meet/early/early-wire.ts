import { newWire } from './new-wire.ts';
import { started } from './started.ts';

/** The line to the server that the page's first script opened. */
let early: WebSocket | null = started().wire ?? null;

const opened = new Promise<void>((resolve) => {
  if (early === null || early.readyState > WebSocket.OPEN) resolve();
  if (early?.readyState === WebSocket.OPEN) setTimeout(resolve);
  early?.addEventListener('open', () => setTimeout(resolve), { once: true });
  early?.addEventListener('close', () => resolve(), { once: true });
});

/** Settles when the early line has said what is said first, or came to nothing. */
export const wireOpens = (): Promise<void> => opened;

/** The early line, once; afterwards a new one each time. What befell it before is told to its taker. */
export function openWire(): WebSocket {
  const wire = early ?? newWire();
  early = null;
  queueMicrotask(() => {
    if (wire.readyState === WebSocket.OPEN) wire.onopen?.(new Event('open'));
    if (wire.readyState === WebSocket.CLOSED) wire.onclose?.(new CloseEvent('close'));
  });
  return wire;
}

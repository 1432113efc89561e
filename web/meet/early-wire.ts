/**
 * The line to the server, opened before anything else of the program has run: it takes as long as the
 * rest of this file's program needs to begin. So `main.ts` imports it first.
 */
let early: WebSocket | null = newWire();

const opened = new Promise<void>((resolve) => {
  early?.addEventListener('open', () => setTimeout(resolve), { once: true });
  early?.addEventListener('close', () => resolve(), { once: true });
});

/** Settles when the early line has said what is said first, or came to nothing. */
export const wireOpens = (): Promise<void> => opened;

/** The early line, once; afterwards a new one each time. */
export function openWire(): WebSocket {
  const wire = early ?? newWire();
  early = null;
  return wire;
}

function newWire(): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
}

/**
 * The line to the server, opened before anything else of the program has run: it takes as long as the
 * rest of this file's program needs to begin. So `main.ts` imports it first.
 */
let early: WebSocket | null = newWire();

/** The early line, once; afterwards a new one each time. */
export function openWire(): WebSocket {
  const wire = early ?? newWire();
  early = null;
  return wire;
}

function newWire(): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
}

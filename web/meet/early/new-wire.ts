export function newWire(): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
}

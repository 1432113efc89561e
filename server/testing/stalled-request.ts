import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

/** A request whose body has not arrived completely, and the status of its answer; 0 before. */
export interface Stalled {
  socket: Socket;
  status: number;
}

const open: Socket[] = [];

/** Sends the head of a request and the beginning of its body. */
export function stall(
  port: number,
  head: readonly string[],
  body: string | Uint8Array = '{',
): Stalled {
  const socket = connect(port, '127.0.0.1');
  const stalled = { socket, status: 0 };
  socket.on('error', () => undefined);
  socket.once('data', (answer) => {
    stalled.status = Number(String(answer).slice(9, 12));
  });
  socket.write(`${[...head, 'Host: localhost'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  open.push(socket);
  return stalled;
}

export function endStalled(): void {
  for (const socket of open.splice(0)) socket.destroy();
}

export const expectAnswer = (stalled: Stalled, status: number) =>
  expect.poll(() => stalled.status, { timeout: 4_000 }).toBe(status);

/** Waits until one of the requests was refused because those before it fill all places. */
export const expectOneRefused = (all: readonly Stalled[]) =>
  expect.poll(() => all.flatMap(({ status }) => status || []), { timeout: 10_000 }).toEqual([429]);
